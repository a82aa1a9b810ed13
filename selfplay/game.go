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
	cfg     Config
	search  *mcts.Search
	earlier []*data.Game
	probs   []float32
	moves   []quoridor.Move
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
	rules := p.cfg.Rules(b)
	if share := p.cfg.repetitionShare(generation); share > 0 {
		rules.Repetition = random.Float64() < share
	}
	g := quoridor.NewGame(b, b.Start(), rules)
	if err := p.open(g, random); err != nil {
		return nil, err
	}
	p.search.Forget() // the next game owes nothing to the last one
	record := &data.Game{Generation: generation, ID: id, Seed: seed, Rules: g.Rules, Opening: g.Plies()}
	decided, playedOn := decision{cfg: &p.cfg}, p.cfg.playedOn(seed)
	var surprises []float64
	for g.Result() == quoridor.Undecided {
		budget := p.budget(decided.reached && !playedOn, random)
		r, err := p.think(ctx, g, budget, random)
		if err != nil {
			return nil, err
		}
		searched, err := p.record(g.Plies(), r)
		if err != nil {
			return nil, err
		}
		searched.Flags |= budget.flags
		record.Searches = append(record.Searches, searched)
		surprises = append(surprises, surprise(r))
		decided.see(g.Plies(), searched.RootValue())
		m := r.Move
		if g.Plies() < record.Opening+p.cfg.SamplePlies {
			m = sample(r.Moves, random)
		}
		if err := g.Play(m); err != nil {
			return nil, err
		}
	}
	weigh(record.Searches, surprises, p.cfg.Surprise)
	record.Moves, record.Result = g.Moves(), g.Result()
	return record, nil
}

// think searches the position of the game.
func (p *player) think(ctx context.Context, g *quoridor.Game, budget budget, random *rand.Rand) (mcts.Result, error) {
	if err := p.search.SetSimulations(budget.simulations); err != nil {
		return mcts.Result{}, err
	}
	if budget.flags&data.FlagFast != 0 {
		random = nil // without noise
	}
	r, err := p.search.Run(ctx, g.Position(), g.Rules.PlyCap-g.Plies(), random)
	if err != nil {
		return r, err
	}
	return r, ctx.Err()
}

// budget is what a search may cost and what its row is for.
type budget struct {
	simulations int
	flags       data.Flags
}

// budget draws the cost of the next search.
func (p *player) budget(decided bool, random *rand.Rand) budget {
	b := budget{simulations: p.cfg.Search.Simulations}
	if decided {
		b.simulations = min(b.simulations, p.cfg.ResignSimulations)
		b.flags = b.flags.WithWeight(p.cfg.ResignWeight)
	}
	if p.cfg.FullShare < 1 && random.Float64() >= p.cfg.FullShare {
		b.simulations = min(b.simulations, p.cfg.FastSimulations)
		b.flags |= data.FlagFast | data.FlagNoTrain
	}
	return b
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
