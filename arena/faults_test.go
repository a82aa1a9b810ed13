package arena

import (
	"context"
	"slices"
	"testing"

	"rampart/mcts"
	"rampart/quoridor"
)

// TestSearchPlayerHasNoNoiseAndStartsClean: with settings full of noise, the player's games do not depend on the seed, nor on games that it
// played before.
func TestSearchPlayerHasNoNoiseAndStartsClean(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	for _, mode := range []mcts.Mode{mcts.Gumbel, mcts.PUCT} {
		cfg := mcts.DefaultConfig(mode)
		cfg.Simulations, cfg.RootNoise, cfg.Reuse = 60, 1, mode == mcts.PUCT
		o := NewSearchOpponent("search", SearchConfig{Search: cfg}, func(b *quoridor.Board) (mcts.Evaluator, error) { return mcts.Uniform{B: b}, nil })
		game := func(p Player, seed uint64, opening string) []quoridor.Move {
			p.NewGame(seed)
			g := quoridor.NewGame(b, b.Start(), quoridor.Rules{PlyCap: 40})
			m, err := b.ParseMove(opening)
			if err != nil {
				t.Fatal(err)
			}
			for err = g.Play(m); err == nil && g.Result() == quoridor.Undecided; err = g.Play(m) {
				if m, err = p.Move(context.Background(), g); err != nil {
					break
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			return slices.Clone(g.Moves())
		}
		player, err := o.New(b)
		if err != nil {
			t.Fatal(err)
		}
		want := game(player, 1, "c2")
		for seed := range uint64(3) {
			game(player, seed, "b1")
			if got := game(player, seed, "c2"); !slices.Equal(got, want) {
				t.Errorf("%s, seed %d: %v, want %v", mode, seed, got, want)
			}
		}
	}
}
