package selfplay

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"rampart/data"
	"rampart/quoridor"
)

// TestPlyCapComesFromTheSettings: the cap of the settings ends the games, and their records and results say so.
func TestPlyCapComesFromTheSettings(t *testing.T) {
	b := quoridor.MustBoard(9, 9, 10)
	for _, plyCap := range []int{1, 7, 12} { // nobody can win in 12 plies
		j := job(b, 12, 2)
		j.Config.PlyCap = plyCap
		var judged atomic.Int64
		j.Positions = &judged
		games, _ := play(t, j)
		for _, g := range games {
			if g.Rules.PlyCap != plyCap || len(g.Moves) != plyCap || g.Result != quoridor.DrawCap {
				t.Errorf("cap %d: game %d has %d plies under a cap of %d: %s", plyCap, g.ID, len(g.Moves), g.Rules.PlyCap, g.Result)
			}
		}
		if plyCap == 1 && judged.Load() != 12 { // the search knows that every move draws: it asks about the root alone
			t.Errorf("%d positions judged in 12 searches one ply before the cap", judged.Load())
		}
	}
}

// TestOpeningMovesAreChecked: moves of an opening are checked like any other; an earlier game that does not fit ends the job with an error.
func TestOpeningMovesAreChecked(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 2)
	j := job(b, 20, 1)
	j.Config.RandomOpenings, j.Config.Forks = 0, 1
	j.Earlier = []*data.Game{{Moves: []quoridor.Move{quoridor.PawnMove(quoridor.CellAt(4, 4)), quoridor.HWall(0, 0), quoridor.HWall(0, 0), quoridor.HWall(0, 0)}}}
	if err := Run(context.Background(), j, func(*data.Game) error { return nil }); !errors.Is(err, quoridor.ErrIllegalMove) {
		t.Errorf("error %v", err)
	}
}
