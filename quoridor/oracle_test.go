package quoridor

import (
	"path/filepath"
	"slices"
	"testing"

	"rampart/internal/oracle"
)

func TestOraclePerft(t *testing.T) {
	type line struct {
		W, H, Walls, Depth int
		Nodes              uint64
	}
	for _, file := range oracle.Files(t, "perft.jsonl") {
		oracle.EachLine(t, file, func(l line) {
			if l.Nodes > 10_000_000 || testing.Short() && l.Nodes > 1_000_000 {
				return
			}
			b := MustBoard(l.W, l.H, l.Walls)
			if got := b.Perft(b.Start(), l.Depth); got != l.Nodes {
				t.Errorf("%s depth %d: %d nodes, want %d", b, l.Depth, got, l.Nodes)
			}
		})
	}
}

// TestOracleWrongRules makes sure that the counts tell our rules from thirteen misreadings of them.
func TestOracleWrongRules(t *testing.T) {
	type line struct {
		W, H, Walls int
		Variant     string
		Perft       []uint64
	}
	for _, file := range oracle.Files(t, "perft_wrong_rules.jsonl") {
		oracle.EachLine(t, file, func(l line) {
			if l.W != 3 || l.H != 3 || l.Walls != 1 {
				return
			}
			b := MustBoard(l.W, l.H, l.Walls)
			var got []uint64
			for depth := 1; depth <= min(5, len(l.Perft)); depth++ {
				got = append(got, b.Perft(b.Start(), depth))
			}
			if same := slices.Equal(got, l.Perft[:len(got)]); same != (l.Variant == "correct") {
				t.Errorf("variant %q: our counts %v, its counts %v", l.Variant, got, l.Perft)
			}
		})
	}
}

func TestOracleTraces(t *testing.T) {
	type line struct {
		ID             string
		W, H, Walls    int
		Moves          []string
		NP, NW, D0, D1 []int
		Result         int
		FinalD         []int    `json:"final_d"`
		FinalLeft      []int    `json:"final_left"`
		FinalPawns     []string `json:"final_pawns"`
	}
	for _, file := range oracle.Files(t, filepath.Join("traces", "*.jsonl")) {
		oracle.EachLine(t, file, func(l line) {
			b := MustBoard(l.W, l.H, l.Walls)
			p := b.Start()
			for i, text := range l.Moves {
				var pawns, walls int
				for _, m := range b.Moves(nil, &p) {
					if m.IsPawn() {
						pawns++
					} else {
						walls++
					}
				}
				got := [4]int{pawns, walls, b.Distance(&p, 0), b.Distance(&p, 1)}
				if want := [4]int{l.NP[i], l.NW[i], l.D0[i], l.D1[i]}; got != want {
					t.Fatalf("%s before ply %d (%s): pawn moves, wall moves, distances %v, want %v", l.ID, i+1, b.Format(p), got, want)
				}
				m, err := b.ParseLegal(&p, text)
				if err != nil {
					t.Fatalf("%s ply %d: %v", l.ID, i+1, err)
				}
				p = b.Play(p, m)
			}
			if got := b.Winner(&p); got != l.Result {
				t.Errorf("%s: winner %d, want %d", l.ID, got, l.Result)
			}
			for player := range 2 {
				if b.Distance(&p, player) != l.FinalD[player] || p.WallsLeft(player) != l.FinalLeft[player] || p.Pawn(player).String() != l.FinalPawns[player] {
					t.Errorf("%s: final position %s does not match", l.ID, b.Format(p))
				}
			}
		})
	}
}

func TestOraclePositions(t *testing.T) {
	type line struct {
		ID            int
		Label         string
		Width, Height int
		Pawns         [2]string
		HWalls        []string
		VWalls        []string
		WallsLeft     [2]int `json:"walls_left"`
		ToMove        int    `json:"to_move"`
		Over          bool
		PawnMoves     []string `json:"pawn_moves"`
		WallMoves     []string `json:"wall_moves"`
		HandIllegal   []string `json:"hand_illegal"`
	}
	for _, file := range oracle.Files(t, "positions.jsonl") {
		oracle.EachLine(t, file, func(l line) {
			b := makeBoard(l.Width, l.Height, 0) // some have two rows, which NewBoard refuses
			var walls [2]uint64
			for kind, names := range [][]string{l.HWalls, l.VWalls} {
				for _, name := range names {
					c, err := b.ParseCell(name)
					if err != nil {
						t.Fatal(err)
					}
					walls[kind] |= anchorBit(c.X(), c.Y())
				}
			}
			var pawns [2]Cell
			for player, name := range l.Pawns {
				c, err := b.ParseCell(name)
				if err != nil {
					t.Fatal(err)
				}
				pawns[player] = c
			}
			p, err := b.NewPosition(walls[0], walls[1], pawns, l.WallsLeft, l.ToMove)
			if err != nil {
				t.Fatalf("position %d (%s): %v", l.ID, l.Label, err)
			}
			if over := b.Winner(&p) >= 0; over != l.Over {
				t.Errorf("position %d (%s): over %v, want %v", l.ID, l.Label, over, l.Over)
			}
			var got []string
			for _, m := range b.Moves(nil, &p) {
				got = append(got, m.String())
			}
			want := append(slices.Clone(l.PawnMoves), l.WallMoves...)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("position %d (%s) %s:\ngot  %v\nwant %v", l.ID, l.Label, b.Format(p), got, want)
			}
			for _, name := range l.HandIllegal {
				if _, err := b.ParseLegal(&p, name); err == nil {
					t.Errorf("position %d (%s): %s is accepted", l.ID, l.Label, name)
				}
			}
		})
	}
}
