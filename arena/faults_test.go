package arena

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"rampart/mcts"
	"rampart/quoridor"
)

// askedEvaluator counts the positions that it is asked about.
type askedEvaluator struct {
	mcts.Uniform
	asked *int
}

func (e askedEvaluator) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	*e.asked += len(pos)
	return e.Uniform.Evaluate(pos, moves, logits, wdl)
}

// TestSearchPlayerHasNoNoiseAndStartsClean: with settings full of noise, what the player does in a game does not depend on the seed, and it
// takes nothing along from an earlier game, not even one that came through the same positions.
func TestSearchPlayerHasNoNoiseAndStartsClean(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	for _, mode := range []mcts.Mode{mcts.Gumbel, mcts.PUCT} {
		cfg := mcts.DefaultConfig(mode)
		cfg.Simulations, cfg.RootNoise, cfg.Reuse = 60, 1, mode == mcts.PUCT
		asked := 0
		o := NewSearchOpponent("search", SearchConfig{Search: cfg}, func(b *quoridor.Board) (mcts.Evaluator, error) {
			return askedEvaluator{mcts.Uniform{B: b}, &asked}, nil
		})
		player, err := o.New(b)
		if err != nil {
			t.Fatal(err)
		}
		g := quoridor.NewGame(b, b.Start(), quoridor.Rules{PlyCap: 40})
		for g.Result() == quoridor.Undecided {
			var want quoridor.Move
			wantAsked := 0
			for seed := range uint64(4) {
				player.NewGame(seed)
				asked = 0
				m, err := player.Move(context.Background(), g)
				if err != nil {
					t.Fatal(err)
				}
				if seed == 0 {
					want, wantAsked = m, asked
				}
				if m != want || asked != wantAsked {
					t.Errorf("%s, ply %d, seed %d: %s after %d evaluations, want %s after %d", mode, g.Plies(), seed, m, asked, want, wantAsked)
				}
			}
			fresh, err := o.New(b)
			if err != nil {
				t.Fatal(err)
			}
			asked = 0
			if m, err := fresh.Move(context.Background(), g); err != nil || m != want || asked != wantAsked {
				t.Errorf("%s, ply %d: a new player plays %s after %d evaluations, want %s after %d (%v)", mode, g.Plies(), m, asked, want, wantAsked, err)
			}
			if err := g.Play(want); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// failingPlayer fails at once and counts how often it is closed.
type failingPlayer struct{ closed *atomic.Int64 }

func (failingPlayer) NewGame(uint64) {}

func (failingPlayer) Move(context.Context, *quoridor.Game) (quoridor.Move, error) {
	return quoridor.NoMove, errors.New("no idea")
}

func (p failingPlayer) Close() error {
	p.closed.Add(1)
	return nil
}

// TestScoreClosesPlayersThatFail: every player that was made for a yardstick is closed, however the scoring ends.
func TestScoreClosesPlayersThatFail(t *testing.T) {
	b := quoridor.MustBoard(4, 4, 1)
	set := &ExactSet{board: b, positions: []exactPosition{{pos: b.Start()}, {pos: b.Start()}}}
	var made, closed atomic.Int64
	o := Opponent{Name: "failing", New: func(*quoridor.Board) (Player, error) {
		made.Add(1)
		return failingPlayer{&closed}, nil
	}}
	if _, err := set.Score(context.Background(), o, 3); !errors.Is(err, ErrMove) || closed.Load() != made.Load() {
		t.Errorf("%d players made, %d closed, error %v", made.Load(), closed.Load(), err)
	}
}
