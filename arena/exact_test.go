package arena

import (
	"context"
	"testing"

	"rampart/quoridor"
	"rampart/solver"
)

// oracle plays a best move, or with worst a worst one.
type oracle struct {
	s     *solver.Solver
	worst bool
}

func (o oracle) NewGame(uint64) {}

func (o oracle) Move(ctx context.Context, g *quoridor.Game) (quoridor.Move, error) {
	values, err := o.s.MoveValues(ctx, nil, g.Position())
	if err != nil {
		return quoridor.NoMove, err
	}
	chosen := values[0]
	for _, v := range values {
		if better := v.Value.Better(chosen.Value); better != o.worst && v.Value != chosen.Value {
			chosen = v
		}
	}
	return chosen.Move, nil
}

// TestExactSet: the best player scores 1, the worst 0, and the same for any number of workers.
func TestExactSet(t *testing.T) {
	ctx := context.Background()
	b := quoridor.MustBoard(4, 4, 1)
	s, err := solver.New(b, solver.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Prepare(ctx); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []Play{RandomPlay, ExactPlay} {
		set, err := NewExactSet(ctx, s, kind, 200, 1)
		if err != nil {
			t.Fatal(err)
		}
		if set.Len() < 100 {
			t.Fatalf("%s: only %d positions", kind, set.Len())
		}
		seen := map[quoridor.Position]bool{}
		for _, x := range set.positions {
			seen[x.pos] = true
		}
		if len(seen) != set.Len() {
			t.Errorf("%s: %d distinct positions of %d", kind, len(seen), set.Len())
		}
		for _, worst := range []bool{false, true} {
			o := Opponent{Name: "oracle", New: func(*quoridor.Board) (Player, error) { return oracle{s, worst}, nil }}
			share, err := set.Score(ctx, o, 2)
			if want := map[bool]float64{false: 1, true: 0}[worst]; err != nil || share != want {
				t.Errorf("%s, worst %v: share %g, want %g (%v)", kind, worst, share, want, err)
			}
		}
		one, err1 := set.Score(ctx, MustParse("random"), 1)
		three, err3 := set.Score(ctx, MustParse("random"), 3)
		if one != three || one <= 0 || one >= 1 || err1 != nil || err3 != nil {
			t.Errorf("%s: random scores %g with one worker, %g with three (%v, %v)", kind, one, three, err1, err3)
		}
	}
}
