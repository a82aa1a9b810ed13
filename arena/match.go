package arena

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"rampart/internal/guard"
	"rampart/quoridor"
)

// Coordinates that keep the random streams of a match apart.
const (
	streamOpening = iota
	streamGame
	streamPlayer
	streamBootstrap
)

// MostPairs bounds the pairs of a match, whose openings are all held in memory.
const MostPairs = 1_000_000

// MostWorkers bounds the workers of a match: each has its own players.
const MostWorkers = 1024

// MostPlyCap bounds the ply cap of a match; a game in package play holds no more.
const MostPlyCap = 5000

// MatchConfig says how a match is played. Board and Pairs are required.
type MatchConfig struct {
	Board *quoridor.Board
	Rules quoridor.Rules // PlyCap 0 stands for Board.DefaultPlyCap()

	Pairs        int       // most pairs of games
	OpeningPlies int       // random legal plies before the players take over
	Openings     []Opening // openings to use instead of random ones; pair i takes opening i modulo their number
	Seed         uint64    // of all random streams
	Workers      int       // goroutines that play, at most MostWorkers; 0 for one per processor

	SPRT     *SPRT // stops the match early; nil plays all pairs
	MinPairs int   // pairs before SPRT may stop the match

	// OnGame is called for every counted game, in order, and never concurrently. OnPair follows after both games of a pair, with
	// the result so far, which is valid during the call.
	OnGame func(*Game)
	OnPair func(*MatchResult)
}

// Game is a finished game of a match.
type Game struct {
	*quoridor.Game
	Pair, Number int       // both from 0; A is player 0 in game 0 of a pair and player 1 in game 1
	Players      [2]string // names by seat
	OpeningPlies int       // plies that were given by the opening
	Seed         uint64    // of the game's random streams
}

// SeatOfA returns the seat of player A, 0 or 1.
func (g *Game) SeatOfA() int { return g.Number }

// Validate returns an error that wraps [ErrConfig] for settings out of range.
func (c *MatchConfig) Validate() error {
	switch {
	case c.Board == nil:
		return fmt.Errorf("%w: no board", ErrConfig)
	case c.Pairs < 1 || c.Pairs > MostPairs:
		return fmt.Errorf("%w: %d pairs: must be 1 to %d", ErrConfig, c.Pairs, MostPairs)
	case c.Workers < 0 || c.Workers > MostWorkers:
		return fmt.Errorf("%w: %d workers: must be 1 to %d, or 0 for one per processor", ErrConfig, c.Workers, MostWorkers)
	case c.Rules.PlyCap < 0 || c.Rules.PlyCap > MostPlyCap:
		return fmt.Errorf("%w: ply cap %d: must be 1 to %d, or 0 for the default of the board", ErrConfig, c.Rules.PlyCap, MostPlyCap)
	case c.OpeningPlies < 0 || c.OpeningPlies > c.Board.Cells()/2:
		return fmt.Errorf("%w: %d opening plies: must be 0 to %d on %dx%d", ErrConfig, c.OpeningPlies, c.Board.Cells()/2, c.Board.W, c.Board.H)
	}
	if c.SPRT != nil {
		return c.SPRT.Validate()
	}
	return nil
}

// rules returns the rules with the default ply cap filled in.
func (c *MatchConfig) rules() quoridor.Rules {
	r := c.Rules
	if r.PlyCap == 0 {
		r.PlyCap = c.Board.DefaultPlyCap()
	}
	return r
}

// openings returns the openings of all pairs.
func (c *MatchConfig) openings() ([]Opening, error) {
	if len(c.Openings) == 0 {
		return randomOpenings(c.Board, c.rules(), c.Pairs, c.OpeningPlies, c.Seed)
	}
	list := make([]Opening, c.Pairs)
	for i := range list {
		list[i] = c.Openings[i%len(c.Openings)]
	}
	return list, checkOpenings(c.Board, c.rules(), c.Openings)
}

// Match plays pairs of games between a and b and returns what happened from a's point of view. The result depends on the
// configuration alone, not on the number of workers, if the players' moves depend on their seeds alone. If the context ends, Match
// returns the result of the pairs counted so far together with the context's error. Other errors wrap [ErrConfig], [ErrPlayer]
// or [ErrMove].
func Match(ctx context.Context, a, b Opponent, c MatchConfig) (*MatchResult, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	openings, err := c.openings()
	if err != nil {
		return nil, err
	}
	m := &match{config: c, rules: c.rules(), sides: [2]Opponent{a, b}, openings: openings, played: make(chan outcome)}
	return m.run(ctx)
}

// match is a match in progress. Workers take games by number and send what became of them to one collector.
type match struct {
	config   MatchConfig
	rules    quoridor.Rules
	sides    [2]Opponent // A, B
	openings []Opening
	next     atomic.Int64 // next game to play, counted over all pairs
	played   chan outcome
}

// outcome is a finished game or the reason why there is none.
type outcome struct {
	index int // pair*2 + number
	game  *Game
	err   error
}

func (m *match) run(ctx context.Context) (*MatchResult, error) {
	workers := m.config.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, 2*m.config.Pairs)
	playing, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() { m.work(playing) })
	}
	result, err := m.collect(ctx)
	stop()
	group.Wait()
	return result, err
}

// collect counts the games in order until the match is over, and returns the first error in that order.
func (m *match) collect(ctx context.Context) (*MatchResult, error) {
	tally := newTally(m)
	waiting := make(map[int]outcome)
	for index := 0; index < 2*m.config.Pairs; index++ {
		if ctx.Err() != nil { // games that wait already do not count any more
			return tally.result, ctx.Err()
		}
		for waiting[index].game == nil && waiting[index].err == nil {
			select {
			case o := <-m.played:
				waiting[o.index] = o
			case <-ctx.Done():
				return tally.result, ctx.Err()
			}
		}
		o := waiting[index]
		delete(waiting, index)
		if o.err != nil {
			if ctx.Err() != nil {
				o.err = ctx.Err()
			}
			return tally.result, o.err
		}
		if tally.add(o.game) {
			break
		}
	}
	return tally.result, nil
}

// work plays games until there are none left or the context ends.
func (m *match) work(ctx context.Context) {
	players, err := m.newPlayers()
	defer func() {
		for _, p := range players {
			if p != nil {
				_ = closePlayer(p) // nothing is lost: its games are played
			}
		}
	}()
	for ctx.Err() == nil {
		index := int(m.next.Add(1)) - 1
		if index >= 2*m.config.Pairs {
			return
		}
		o := outcome{index: index, err: err}
		if err == nil {
			o.err = guard.Run(func() (err error) {
				o.game, err = m.play(ctx, players, index)
				return err
			})
		}
		select {
		case m.played <- o:
		case <-ctx.Done():
			return
		}
	}
}

func (m *match) newPlayers() (players [2]Player, err error) {
	for i, o := range m.sides {
		if players[i], err = o.New(m.config.Board); err != nil {
			return players, fmt.Errorf("%s: %w", o.Name, err)
		}
	}
	return players, nil
}

// play plays one game.
func (m *match) play(ctx context.Context, players [2]Player, index int) (*Game, error) {
	pair, number := index/2, index%2
	seatOf := [2]int{number, 1 - number} // of A and B
	opening := m.openings[pair]
	replayed, err := quoridor.Replay(m.config.Board, opening.Start, m.rules, opening.Moves)
	if err != nil {
		return nil, err
	}
	g := &Game{Game: replayed, Pair: pair, Number: number, OpeningPlies: len(opening.Moves), Seed: stream(m.config.Seed, streamGame, uint64(index))}
	var bySeat [2]Player
	for i, p := range players {
		bySeat[seatOf[i]] = p
		g.Players[seatOf[i]] = m.sides[i].Name
		p.NewGame(stream(g.Seed, streamPlayer, uint64(seatOf[i])))
	}
	for g.Result() == quoridor.Undecided {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := g.Position()
		move, err := bySeat[p.Side()].Move(ctx, g.Game)
		if err == nil {
			err = g.Play(move)
		}
		if err != nil {
			return nil, g.failure(p, err)
		}
	}
	return g, nil
}

// failure says whose move at position p failed.
func (g *Game) failure(p quoridor.Position, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%w: %s in pair %d, game %d, ply %d, position %q: %w",
		ErrMove, g.Players[p.Side()], g.Pair+1, g.Number+1, g.Plies()+1, g.Board.Format(p), err)
}
