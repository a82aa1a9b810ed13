package selfplay

import (
	"context"
	"fmt"
	"math/rand/v2"

	"rampart/data"
	"rampart/mcts"
	"rampart/quoridor"
)

// player plays whole games with one search.
type player struct {
	cfg    Config
	search *mcts.Search
	probs  []float32
	moves  []quoridor.Move
}

// gameSeed derives the seed of one game's random stream.
func gameSeed(runSeed uint64, generation uint32, id uint64) uint64 {
	random := rand.New(rand.NewPCG(runSeed, uint64(generation)))
	base := random.Uint64()
	return rand.NewPCG(base, id).Uint64()
}

// play plays one game. It returns ctx's error if ctx ends first.
func (p *player) play(ctx context.Context, generation uint32, id, seed uint64) (*data.Game, error) {
	random := rand.New(rand.NewPCG(seed, 0x72616d70617274))
	b := p.search.Board()
	g := quoridor.NewGame(b, b.Start(), p.cfg.Rules(b))
	if random.Float64() < p.cfg.RandomOpenings {
		if err := p.opening(g, random); err != nil {
			return nil, err
		}
	}
	record := &data.Game{Generation: generation, ID: id, Seed: seed, Rules: g.Rules, Opening: g.Plies()}
	for g.Result() == quoridor.Undecided {
		r, err := p.search.Run(ctx, g.Position(), g.Rules.PlyCap-g.Plies(), random)
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		searched, err := p.record(g.Plies(), r)
		if err != nil {
			return nil, err
		}
		record.Searches = append(record.Searches, searched)
		m := r.Move
		if g.Plies() < record.Opening+p.cfg.SamplePlies {
			m = sample(r.Moves, random)
		}
		if err := g.Play(m); err != nil {
			return nil, err
		}
	}
	record.Moves, record.Result = g.Moves(), g.Result()
	return record, nil
}

// opening plays random plies, pawn moves and walls in equal shares where both are possible, and none that ends the game.
func (p *player) opening(g *quoridor.Game, random *rand.Rand) error {
	if p.cfg.OpeningPlies == 0 {
		return nil
	}
	b := g.Board
	for range 1 + random.IntN(p.cfg.OpeningPlies) {
		pos := g.Position()
		p.moves = b.Moves(p.moves[:0], &pos)
		pawns := 0
		for pawns < len(p.moves) && p.moves[pawns].IsPawn() {
			pawns++
		}
		from, n := 0, pawns
		if walls := len(p.moves) - pawns; walls > 0 && random.IntN(2) == 0 {
			from, n = pawns, walls
		}
		m := p.moves[from+random.IntN(n)]
		after := b.Play(pos, m)
		if b.Winner(&after) >= 0 || g.Plies()+1 >= g.Rules.PlyCap {
			return nil
		}
		if err := g.Play(m); err != nil {
			return err
		}
	}
	return nil
}

// record turns the search's result into what is stored.
func (p *player) record(ply int, r mcts.Result) (data.Search, error) {
	p.moves, p.probs = p.moves[:0], p.probs[:0]
	for _, m := range r.Moves {
		p.moves = append(p.moves, m.Move)
		p.probs = append(p.probs, float32(m.Policy))
	}
	policy, err := data.AppendPolicy(nil, p.moves, p.probs)
	if err != nil {
		return data.Search{}, fmt.Errorf("ply %d: %w", ply+1, err)
	}
	return data.Search{Ply: ply, Visits: uint32(r.Simulations), Value: data.FixedValue(r.Value), Policy: policy}, nil
}

// sample draws a move from the policy.
func sample(moves []mcts.MoveStats, random *rand.Rand) quoridor.Move {
	u := random.Float64()
	for _, m := range moves {
		if u -= m.Policy; u < 0 {
			return m.Move
		}
	}
	return moves[0].Move
}
