package arena

import (
	"slices"
	"testing"
	"time"
	"unsafe"

	"rampart/quoridor"
)

// plainSearch is negamax without pruning, ordering or table, over the same moves.
func plainSearch(s *searcher, p *quoridor.Position, depth, ply int) int {
	if s.board.Winner(p) >= 0 {
		return ply - winScore
	}
	if s.recurs() {
		return 0
	}
	if depth == 0 {
		return s.eval.score(p)
	}
	var list moveList
	list.generate(s, p, depth, ply, quoridor.NoMove)
	return plainBest(s, p, list.moves, depth, ply)
}

func plainBest(s *searcher, p *quoridor.Position, moves []quoridor.Move, depth, ply int) int {
	best := -infinite
	for _, m := range moves {
		child := s.board.Play(*p, m)
		s.path = append(s.path, child)
		best = max(best, -plainSearch(s, &child, depth-1, ply+1))
		s.path = s.path[:len(s.path)-1]
	}
	return best
}

// TestAlphaBetaFindsTheMinimaxScore compares with a search that prunes nothing. The table is as small as can be, since an entry of a
// deeper search may rightly change a score.
func TestAlphaBetaFindsTheMinimaxScore(t *testing.T) {
	positions := 0
	randomPositions(t, 2, func(b *quoridor.Board, p quoridor.Position) {
		if positions++; positions%7 != 0 {
			return
		}
		depth := 3
		if b.Cells() > 30 {
			depth = 2
		}
		s := newSearcher(b, 0)
		g := quoridor.NewGame(b, p, quoridor.Rules{})
		m, err := s.search(t.Context(), g, depth, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		var all moveList
		all.generateAll(s, &p)
		s.path = append(s.path[:0], p)
		want := plainBest(s, &p, all.moves, depth, 0)
		got := plainBest(s, &p, []quoridor.Move{m}, depth, 0)
		if want < surelyWon && want > -surelyWon && got != want || want >= surelyWon && got < surelyWon {
			t.Fatalf("%s: depth %d plays %s, worth %d; the best move is worth %d", b.Format(p), depth, m, got, want)
		}
	})
}

// TestTableNeverMixesPositions stores many positions in few places and asks for all, then in later games.
func TestTableNeverMixesPositions(t *testing.T) {
	tab := newTable(0)
	stored := make(map[quoridor.Position]int)
	randomPositions(t, 2, func(b *quoridor.Board, p quoridor.Position) {
		score := len(stored) % 1000
		tab.store(&p, quoridor.NoMove, score, 1, 0, -infinite, infinite)
		stored[p] = score
	})
	found := 0
	for p, score := range stored {
		if e := tab.probe(&p); e != nil {
			if found++; e.position != p || int(e.score) != score {
				t.Fatalf("asked for %v with %d, got %v with %d", p, score, e.position, e.score)
			}
		}
	}
	for range 3 << 16 { // until game numbers have come round
		tab.newGame()
		for p := range stored {
			if tab.probe(&p) != nil {
				t.Fatal("a position of another game is found")
			}
			break
		}
	}
	if found == 0 || found > len(tab.entries) {
		t.Errorf("%d of %d positions found in %d places", found, len(stored), len(tab.entries))
	}
}

// TestTableKeepsWinsRelativeToThePosition stores a win at one ply and reads it at another.
func TestTableKeepsWinsRelativeToThePosition(t *testing.T) {
	tab := newTable(0)
	b := quoridor.MustBoard(5, 5, 2)
	p := b.Start()
	for _, score := range []int{winScore - 9, 9 - winScore, 123} {
		tab.store(&p, quoridor.NoMove, score, 3, 4, -infinite, infinite) // 5 plies from p
		got, ok := tab.probe(&p).cutoff(-infinite, infinite, 3, 2)
		want := score
		switch {
		case score > surelyWon:
			want = winScore - 7
		case score < -surelyWon:
			want = 7 - winScore
		}
		if !ok || got != want {
			t.Errorf("stored %d at ply 4, read %d at ply 2, want %d", score, got, want)
		}
	}
	if _, ok := tab.probe(&p).cutoff(-infinite, infinite, 4, 0); ok {
		t.Error("a shallow entry cuts off a deeper search")
	}
}

// TestAlphaBetaBreaksRepetition gives a winning side, which has gone to and fro twice, the choice between progress and a third time.
func TestAlphaBetaBreaksRepetition(t *testing.T) {
	b, p, err := quoridor.ParsePosition("5x5 c3 a4 - 0,0 0")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		cycles int
		want   []string
	}{
		{0, []string{"c3"}},       // the shortest path, seen once
		{1, []string{"b2", "d2"}}, // c3 would be the third time
	} {
		g := quoridor.NewGame(b, p, quoridor.Rules{})
		names := []string{"c2", "a5"}
		for range test.cycles {
			names = append(names, "c3", "a4", "c2", "a5", "c3", "a4", "c2", "a5")
		}
		for _, name := range names {
			m, err := b.ParseMove(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := g.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		player, err := NewAlphaBeta(b, AlphaBetaConfig{Depth: 4, TableMiB: 1})
		if err != nil {
			t.Fatal(err)
		}
		player.NewGame(1)
		m, err := player.Move(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(test.want, m.String()) {
			t.Errorf("after %d cycles: %s, want %v", test.cycles, m, test.want)
		}
	}
}

func TestEntrySize(t *testing.T) {
	if size := unsafe.Sizeof(entry{}); size != entryBytes {
		t.Errorf("an entry takes %d bytes, not %d", size, entryBytes)
	}
}
