package solver

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"rampart/internal/oracle"
	"rampart/quoridor"
)

// exactLine is a position with its value.
type exactLine struct {
	W, H, N int
	P0, P1  string
	HWalls  []string `json:"H"`
	VWalls  []string `json:"V"`
	W0, W1  int
	Stm     int
	Value   string
}

// UnmarshalJSON keeps encoding/json from matching "h" and "H", which mean different things, alike.
func (l *exactLine) UnmarshalJSON(data []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	for name, to := range map[string]any{
		"w": &l.W, "h": &l.H, "n": &l.N, "p0": &l.P0, "p1": &l.P1, "H": &l.HWalls, "V": &l.VWalls,
		"w0": &l.W0, "w1": &l.W1, "stm": &l.Stm, "value": &l.Value,
	} {
		if err := json.Unmarshal(fields[name], to); err != nil {
			return err
		}
	}
	return nil
}

func (l *exactLine) position(t *testing.T, b *quoridor.Board) quoridor.Position {
	t.Helper()
	var h, v uint64
	for set, names := range map[*uint64][]string{&h: l.HWalls, &v: l.VWalls} {
		for _, name := range names {
			c, err := b.ParseCell(name)
			if err != nil {
				t.Fatal(err)
			}
			*set |= 1 << (c.Y()*8 + c.X())
		}
	}
	var pawns [2]quoridor.Cell
	for player, name := range []string{l.P0, l.P1} {
		var err error
		if pawns[player], err = b.ParseCell(name); err != nil {
			t.Fatal(err)
		}
	}
	p, err := b.NewPosition(h, v, pawns, [2]int{l.W0, l.W1}, l.Stm)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestOracleExact(t *testing.T) {
	solvers := map[[3]int]*Solver{} // the files come twice, in part and whole
	for _, file := range oracle.Files(t, "exact/*.jsonl") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			oracle.EachLine(t, file, func(l exactLine) {
				board := [3]int{l.W, l.H, l.N}
				if solvers[board] == nil {
					solvers[board] = prepared(t, l.W, l.H, l.N)
				}
				s := solvers[board]
				p := l.position(t, s.Board())
				v, err := s.Value(context.Background(), p)
				if err != nil || v.Outcome.String() != l.Value {
					t.Errorf("%s: %v (%v), want %s", s.Board().Format(p), v, err, l.Value)
				}
			})
		})
	}
}

// prepared returns a solver with the table of a whole board.
func prepared(t testing.TB, w, h, n int) *Solver {
	t.Helper()
	b, err := quoridor.NewBoard(w, h, n)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Prepare(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestOracleSolved compares the start of small boards: who wins, in how many plies, and the value of each first move.
func TestOracleSolved(t *testing.T) {
	type line struct {
		W, H, Walls int
		Value       string
		Plies       int
		FirstMoves  map[string]string `json:"first_moves"`
	}
	for _, file := range oracle.Files(t, "solved.jsonl") {
		oracle.EachLine(t, file, func(l line) {
			b := quoridor.MustBoard(l.W, l.H, l.Walls)
			s, err := New(b, Options{})
			if err != nil {
				t.Fatal(err)
			}
			v, err := s.Value(context.Background(), b.Start())
			if err != nil || tableLetter(v) != l.Value || v.Plies != l.Plies {
				t.Errorf("%s: %v (%v), want %s in %d", b, v, err, l.Value, l.Plies)
			}
			moves, err := s.MoveValues(context.Background(), nil, b.Start())
			if err != nil || len(moves) != len(l.FirstMoves) {
				t.Errorf("%s: %d first moves (%v), want %d", b, len(moves), err, len(l.FirstMoves))
			}
			for _, m := range moves {
				if got := shortValue(m.Value); got != l.FirstMoves[m.Move.String()] {
					t.Errorf("%s: %s is %s, want %s", b, m.Move, got, l.FirstMoves[m.Move.String()])
				}
			}
		})
	}
}

// tableLetter writes the value of a start position as the published table does.
func tableLetter(v Value) string {
	return map[Outcome]string{Win: "1", Loss: "2", Draw: "D"}[v.Outcome]
}

// shortValue writes a value as "W7", "L12" or "D0", the oracle's way.
func shortValue(v Value) string {
	return map[Outcome]string{Win: "W", Loss: "L", Draw: "D"}[v.Outcome] + plies(v)
}

func plies(v Value) string {
	b, _ := json.Marshal(v.Plies)
	return string(b)
}
