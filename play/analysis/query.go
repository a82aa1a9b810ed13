package analysis

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"rampart/play"
	"rampart/quoridor"
)

// query is one line of input.
type query struct {
	id     string
	action string // "" for an analysis

	// of an analysis
	game     *quoridor.Game // with all its moves
	turns    []int
	limits   play.Limits // Every is 0 without reports
	priority int
	policy   bool
	pvVisits bool

	// of a termination
	terminateID string
	onlyTurns   []int // nil for all

	unknown []string // fields that mean nothing here
}

// fieldError is an error about one field of a query.
type fieldError struct {
	field string
	err   error
}

func (e fieldError) Error() string { return e.err.Error() }
func (e fieldError) Unwrap() error { return e.err }

// errQuery is the root of what is wrong with a query.
var errQuery = errors.New("bad query")

func fieldErrorf(field, format string, args ...any) error {
	return fieldError{field, fmt.Errorf(format, args...)}
}

// fields takes the fields of a query one by one and keeps the first error.
type fields struct {
	left map[string]json.RawMessage
	err  error
}

// take decodes a field into the pointer and tells whether it is there.
func (f *fields) take(name string, into any) bool {
	raw, ok := f.left[name]
	if !ok {
		return false
	}
	delete(f.left, name)
	if f.err != nil || string(raw) == "null" {
		return false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		f.err = fieldErrorf(name, "must be %s", wanted(into))
		return false
	}
	return true
}

// wanted says what a pointer's type stands for.
func wanted(into any) string {
	switch into.(type) {
	case *string:
		return "a text"
	case *int:
		return "a whole number"
	case *float64:
		return "a number"
	case *bool:
		return "true or false"
	case *[]string:
		return "a list of texts"
	case *[]int:
		return "a list of whole numbers"
	}
	return `"default", "none", or {"plyCap": 60, "repetition": true}`
}

// check keeps an error unless there is one.
func (f *fields) check(ok bool, field, format string, args ...any) {
	if f.err == nil && !ok {
		f.err = fieldErrorf(field, format, args...)
	}
}

// parseQuery reads a line. With an error the id is still returned, if it could be read.
func (c *Config) parseQuery(line string) (*query, error) {
	q := &query{}
	f := fields{}
	if err := json.Unmarshal([]byte(line), &f.left); err != nil || f.left == nil {
		return q, fmt.Errorf("%w: a line must hold one JSON object", errQuery)
	}
	hasID := f.take("id", &q.id)
	f.check(hasID, "id", "is missing")
	f.take("action", &q.action)
	switch {
	case f.err != nil:
	case q.action == "":
		c.parseAnalysis(q, &f)
	default:
		parseAction(q, &f)
	}
	q.unknown = slices.Sorted(maps.Keys(f.left))
	return q, f.err
}

func parseAction(q *query, f *fields) {
	switch q.action {
	case "terminate":
		given := f.take("terminateId", &q.terminateID)
		f.check(given, "terminateId", "is missing")
		f.take("turnNumbers", &q.onlyTurns)
	case "terminate_all":
		f.take("turnNumbers", &q.onlyTurns)
	case "query_version", "query_models", "clear_cache":
	default:
		f.check(false, "action", "%.40q is not query_version, query_models, clear_cache, terminate or terminate_all", q.action)
	}
}

func (c *Config) parseAnalysis(q *query, f *fields) {
	board, start := parseBoard(f)
	rules := parseRules(f, board)
	var moves []string
	given := f.take("moves", &moves)
	f.check(given, "moves", "is missing; [] for none")
	f.check(len(moves) <= play.MostNodes, "moves", "%d moves are more than %d", len(moves), play.MostNodes)
	if f.err == nil {
		q.game = quoridor.NewGame(board, start, rules)
		for i, word := range moves {
			m, err := board.ParseMove(word)
			if err == nil {
				err = q.game.Play(m)
			}
			if err != nil {
				f.check(false, "moves", "ply %d: %w", i+1, err)
				break
			}
		}
	}
	q.turns = []int{len(moves)}
	if f.take("analyzeTurns", &q.turns) {
		slices.Sort(q.turns)
		q.turns = slices.Compact(q.turns)
		f.check(len(q.turns) > 0 && q.turns[0] >= 0 && q.turns[len(q.turns)-1] <= len(moves), "analyzeTurns", "must name turns from 0 to %d, the number of moves", len(moves))
	}
	c.parseLimits(q, f)
	f.take("priority", &q.priority)
	f.take("includePolicy", &q.policy)
	f.take("includePVVisits", &q.pvVisits)
}

// parseBoard reads the board and the starting position.
func parseBoard(f *fields) (*quoridor.Board, quoridor.Position) {
	var text string
	w, h, walls := 9, 9, 10
	hasW, hasH, hasWalls := f.take("boardXSize", &w), f.take("boardYSize", &h), f.take("walls", &walls)
	hasText := f.take("initialPosition", &text)
	if f.err != nil {
		return nil, quoridor.Position{}
	}
	if !hasText {
		f.check(hasWalls || w == 9 && h == 9, "walls", "is missing; it is 10 on 9x9 only by default")
		b, err := quoridor.NewBoard(w, h, walls)
		field := "walls"
		if w < 3 || w > quoridor.MaxSize {
			field = "boardXSize"
		} else if h < quoridor.MinHeight || h > quoridor.MaxSize {
			field = "boardYSize"
		}
		if err == nil && w < 3 {
			err = fmt.Errorf("%w: at least 3 columns", quoridor.ErrBoard)
		}
		f.check(err == nil, field, "%w", err)
		if f.err != nil {
			return nil, quoridor.Position{}
		}
		return b, b.Start()
	}
	b, p, err := quoridor.ParsePosition(text)
	f.check(err == nil, "initialPosition", "%w", err)
	if f.err != nil {
		return nil, p
	}
	f.check(b.W >= 3, "initialPosition", "the board must have at least 3 columns")
	f.check(!hasW || w == b.W, "boardXSize", "is %d, initialPosition has %d columns", w, b.W)
	f.check(!hasH || h == b.H, "boardYSize", "is %d, initialPosition has %d rows", h, b.H)
	if hasWalls {
		least := b.Walls
		f.check(walls >= least, "walls", "is %d, initialPosition needs %d", walls, least)
		larger, err := quoridor.NewBoard(b.W, b.H, max(walls, least))
		f.check(err == nil, "walls", "%w", err)
		b = larger
	}
	return b, p
}

// parseRules reads what ends games that would not end by themselves.
func parseRules(f *fields, b *quoridor.Board) quoridor.Rules {
	var raw json.RawMessage
	if f.err != nil || b == nil {
		f.take("rules", &raw)
		return quoridor.Rules{}
	}
	byDefault := play.NewSetup(b).Rules
	if !f.take("rules", &raw) {
		return byDefault
	}
	switch string(raw) {
	case `"default"`:
		return byDefault
	case `"none"`:
		return quoridor.Rules{}
	}
	given := struct {
		PlyCap     *int  `json:"plyCap"`
		Repetition *bool `json:"repetition"`
	}{&byDefault.PlyCap, &byDefault.Repetition}
	f.left["rules"] = raw
	f.take("rules", &given)
	rules := byDefault
	if given.PlyCap != nil {
		rules.PlyCap = *given.PlyCap
	}
	if given.Repetition != nil {
		rules.Repetition = *given.Repetition
	}
	f.check(rules.PlyCap >= 0 && rules.PlyCap <= play.MostNodes, "rules", "plyCap must be 0 (none) to %d", play.MostNodes)
	return rules
}

// parseLimits reads how long to think and how often to report meanwhile.
func (c *Config) parseLimits(q *query, f *fields) {
	q.limits = play.Limits{Visits: c.Visits, Time: c.Time}
	if f.take("maxVisits", &q.limits.Visits) {
		f.check(q.limits.Visits >= 1 && q.limits.Visits <= play.MostVisits, "maxVisits", "must be 1 to %d", play.MostVisits)
	}
	var seconds float64
	if f.take("maxTime", &seconds) {
		q.limits.Time = duration(seconds)
		f.check(q.limits.Time > 0 && q.limits.Time <= MostTime, "maxTime", "must be above 0, at most %g seconds", MostTime.Seconds())
	}
	if f.take("reportDuringSearchEvery", &seconds) {
		q.limits.Every = duration(seconds)
		f.check(q.limits.Every >= leastEvery, "reportDuringSearchEvery", "must be at least %g seconds", leastEvery.Seconds())
	}
}

// leastEvery bounds the output of a query.
const leastEvery = time.Millisecond

// duration returns the seconds as a time, capped on both sides.
func duration(seconds float64) time.Duration {
	return time.Duration(math.Max(0, math.Min(seconds, 2*MostTime.Seconds())) * float64(time.Second))
}

// at returns the game as it stood at a turn.
func (q *query) at(turn int) (*quoridor.Game, error) {
	return quoridor.Replay(q.game.Board, q.game.PositionAt(0), q.game.Rules, q.game.Moves()[:turn])
}
