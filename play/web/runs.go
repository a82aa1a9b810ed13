package web

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"

	"rampart/data"
	"rampart/play"
	"rampart/quoridor"
)

// runs are the folders whose games can be looked at.
type runs []string

// runGame names a game of a run: the run's number, the shard's, and the game's in the shard.
type runGame struct {
	Run   int `json:"run"`
	Shard int `json:"shard"`
	Game  int `json:"game"`
}

func errNoRun(format string, args ...any) error {
	return fail(http.StatusNotFound, "run", format, args...)
}

// shards lists the shards of a run.
func (rs runs) shards(n int) ([]data.Shard, error) {
	if n < 0 || n >= len(rs) {
		return nil, errNoRun("there is no run %d; there are %d", n, len(rs))
	}
	for _, dir := range []string{filepath.Join(rs[n], "games"), rs[n]} {
		list, err := data.Shards(dir)
		if err != nil || len(list) > 0 {
			return list, err
		}
	}
	return nil, nil
}

// shard finds a shard by its number.
func (rs runs) shard(run, number int) (data.Shard, error) {
	list, err := rs.shards(run)
	if err != nil {
		return data.Shard{}, err
	}
	for _, s := range list {
		if s.Number == number {
			return s, nil
		}
	}
	return data.Shard{}, errNoRun("run %d has no shard %d", run, number)
}

type runMessage struct {
	Run    int    `json:"run"`
	Name   string `json:"name"`
	Shards int    `json:"shards"`
}

func (rs runs) list() (map[string]any, error) {
	list := []runMessage{}
	for i, dir := range rs {
		shards, err := rs.shards(i)
		if err != nil {
			return nil, err
		}
		list = append(list, runMessage{i, filepath.Base(dir), len(shards)})
	}
	return map[string]any{"runs": list}, nil
}

type shardMessage struct {
	Shard int    `json:"shard"`
	Games int    `json:"games"`
	Board string `json:"board"`
	Walls int    `json:"walls"`
	Model string `json:"model"`
	Open  bool   `json:"open"`
	Error string `json:"error,omitempty"` // of a shard that cannot be read
}

// mostPage bounds the items of one answer.
const mostPage = 500

// page reads from and count of a query, for n items.
func page(q url.Values, n int) (from, to int, err error) {
	count := 100
	for name, v := range map[string]*int{"from": &from, "count": &count} {
		if text := q.Get(name); text != "" {
			if *v, err = strconv.Atoi(text); err != nil || *v < 0 {
				return 0, 0, badRequest("%s=%s is not a number from 0 on", name, clip(text))
			}
		}
	}
	from = min(from, n)
	return from, min(n, from+min(count, mostPage)), nil
}

func (rs runs) shardList(run int, q url.Values) (map[string]any, error) {
	shards, err := rs.shards(run)
	if err != nil {
		return nil, err
	}
	from, to, err := page(q, len(shards))
	if err != nil {
		return nil, err
	}
	list := []shardMessage{}
	for _, s := range shards[from:to] {
		list = append(list, describeShard(s))
	}
	return map[string]any{"shards": list, "of": len(shards)}, nil
}

func describeShard(s data.Shard) shardMessage {
	m := shardMessage{Shard: s.Number, Open: s.Open}
	header, entries, err := entriesOf(s)
	if err != nil {
		m.Error = faultText(err)
		return m
	}
	m.Games = len(entries)
	if header.Board != nil {
		m.Board, m.Walls, m.Model = sizeOf(header.Board), header.Board.Walls, header.Model
	}
	return m
}

// faultText says what is wrong with a shard without naming where it lies.
func faultText(err error) string {
	e := new(data.Error)
	if errors.As(err, &e) {
		return e.Err.Error()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "the shard is gone"
	}
	return "the shard cannot be read"
}

// entriesOf lists the games of a shard, sealed or open.
func entriesOf(s data.Shard) (data.Header, []data.Entry, error) {
	if r, err := data.Open(s.Path); err == nil {
		defer r.Close()
		return r.Header(), slices.Clone(r.Entries()), nil
	} else if !s.Open {
		return data.Header{}, nil, err
	}
	var header data.Header
	var list []data.Entry
	err := data.Visit(s.Path, func(h *data.Header, g *data.Game) error {
		header = *h
		list = append(list, data.Entry{Generation: g.Generation, ID: g.ID, Plies: len(g.Moves), Searches: len(g.Searches), Rows: g.Rows(), Result: g.Result})
		return nil
	})
	return header, list, err
}

type gameMessage struct {
	Game       int    `json:"game"`
	ID         uint64 `json:"id"`
	Generation uint32 `json:"generation"`
	Plies      int    `json:"plies"`
	Result     string `json:"result"`
	Text       string `json:"text"`
}

func (rs runs) gameList(run, number int, q url.Values) (map[string]any, error) {
	s, err := rs.shard(run, number)
	if err != nil {
		return nil, err
	}
	_, entries, err := entriesOf(s)
	if err != nil {
		return nil, errNoRun("shard %d of run %d: %s", number, run, faultText(err))
	}
	from, to, err := page(q, len(entries))
	if err != nil {
		return nil, err
	}
	list := []gameMessage{}
	for i, e := range entries[from:to] {
		list = append(list, gameMessage{from + i, e.ID, e.Generation, e.Plies, scoreOf(e.Result), e.Result.String()})
	}
	return map[string]any{"games": list, "of": len(entries)}, nil
}

func scoreOf(r quoridor.Result) string {
	switch r.Winner() {
	case 0:
		return "1-0"
	case 1:
		return "0-1"
	}
	return "1/2-1/2"
}

// game opens a game with what the searches said.
func (rs runs) game(id *runGame) (*play.Game, error) {
	s, err := rs.shard(id.Run, id.Shard)
	if err != nil {
		return nil, err
	}
	header, record, err := data.GameOf(s.Path, id.Game)
	if err != nil {
		return nil, errNoRun("game %d of shard %d of run %d: %s", id.Game, id.Shard, id.Run, faultText(err))
	}
	setup := play.NewSetup(header.Board)
	setup.Rules = record.Rules
	if header.Model != "" {
		setup.Names = [2]string{header.Model, header.Model}
	}
	g, err := play.New(setup)
	if err != nil {
		return nil, err
	}
	g.Title = fmt.Sprintf("%s, generation %d, game %d", filepath.Base(rs[id.Run]), record.Generation, record.ID)
	nodes := []play.NodeID{play.Root}
	for _, m := range record.Moves {
		next, err := g.Add(nodes[len(nodes)-1], m)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, next)
	}
	for i := range record.Searches {
		search := &record.Searches[i]
		if err := g.SetRecord(nodes[search.Ply], recordOf(search)); err != nil {
			return nil, err
		}
	}
	if err := g.SetHead(nodes[len(nodes)-1]); err != nil {
		return nil, err
	}
	return g, g.GoTo(play.Root)
}

func recordOf(s *data.Search) play.Record {
	r := play.Record{Value: s.RootValue(), Visits: int(s.Visits), Fast: s.Flags&data.FlagFast != 0}
	for _, p := range s.Policy {
		r.Policy = append(r.Policy, play.MoveShare{Move: p.Move, Share: float64(p.P) / data.ProbSum})
	}
	slices.SortStableFunc(r.Policy, func(a, b play.MoveShare) int {
		switch {
		case a.Share > b.Share:
			return -1
		case a.Share < b.Share:
			return 1
		}
		return 0
	})
	return r
}
