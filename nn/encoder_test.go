package nn

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"testing"

	"rampart/nn/kernel"
	"rampart/quoridor"
)

// featureSets are networks with the planes that there are.
var featureSets = []Config{{}, {DetourPlanes: true}}

// encode returns the planes as the encoder makes them from all legal moves.
func encode(cfg Config, b *quoridor.Board, p quoridor.Position, mirror bool) []float32 {
	e := NewEncoder(cfg, b)
	dst := kernel.Alloc(e.Len())
	e.Encode(dst, &p, b.Moves(nil, &p), mirror)
	return dst
}

var testBoards = []*quoridor.Board{
	quoridor.MustBoard(5, 5, 2), quoridor.MustBoard(9, 9, 10), quoridor.MustBoard(3, 3, 1),
	quoridor.MustBoard(4, 7, 5), quoridor.MustBoard(8, 3, 6), quoridor.MustBoard(3, 9, 4),
}

// The planes, against code that is slow and obvious.
func TestPlanesMatchObviousCode(t *testing.T) {
	for _, cfg := range featureSets {
		for _, b := range testBoards {
			for _, p := range positions(b, 60, 1) {
				got, want := encode(cfg, b, p, false), slowPlanes(cfg, b, p)
				if i := firstDifference(got, want); i >= 0 {
					t.Fatalf("feature set %d, %s: plane %d is %v, want %v", cfg.FeatureSet(), b.Format(p), i%NumPlanes, got[i], want[i])
				}
			}
		}
	}
}

func firstDifference(a, b []float32) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// slowPlanes looks at one cell of the mover's frame after the other.
func slowPlanes(cfg Config, b *quoridor.Board, p quoridor.Position) []float32 {
	shape := kernel.Shape{H: b.H, W: b.W}
	planes := make([]float32, shape.Len(1, NumPlanes))
	me, you := p.Side(), 1-p.Side()
	s := slow{b, p, p.HWalls(), p.VWalls()}
	toGoal := [2][quoridor.NumCells]int{s.distances(s.goal(0)), s.distances(s.goal(1))}
	fromPawn := [2][quoridor.NumCells]int{s.distances([]quoridor.Cell{p.Pawn(0)}), s.distances([]quoridor.Cell{p.Pawn(1)})}
	onPath := func(player int, c quoridor.Cell) bool {
		return fromPawn[player][c]+toGoal[player][c] == toGoal[player][p.Pawn(player)]
	}
	for y := range b.H {
		for x := range b.W {
			c, dx, dy := quoridor.CellAt(x, y), 1, 1
			if me == 1 { // the board as the mover sees it
				c, dx, dy = quoridor.CellAt(b.W-1-x, b.H-1-y), -1, -1
			}
			out := planes[shape.Offset(0, y, x, NumPlanes):][:NumPlanes]
			set := func(plane int, yes bool) {
				if yes {
					out[plane] = 1
				}
			}
			set(0, p.Pawn(me) == c)
			set(1, p.Pawn(you) == c)
			set(2, s.cut(c, 0, dy))
			set(3, s.cut(c, dx, 0))
			set(4, s.cut(c, 0, -dy))
			set(5, s.cut(c, -dx, 0))
			detourH, detourV := float32(0), float32(0)
			out[6] = float32(toGoal[me][c]) / 16
			out[7] = float32(toGoal[you][c]) / 16
			set(8, onPath(me, c))
			set(9, onPath(you, c))
			if x < b.W-1 && y < b.H-1 {
				anchor := y*(b.W-1) + x
				set(10, s.legal(quoridor.PawnActions+anchor))
				set(11, s.legal(quoridor.PawnActions+b.Anchors()+anchor))
				if cfg.DetourPlanes {
					detourH, detourV = s.balance(quoridor.PawnActions+anchor), s.balance(quoridor.PawnActions+b.Anchors()+anchor)
				}
			}
			if cfg.DetourPlanes {
				out[4], out[5] = detourH, detourV
			}
			out[12] = float32(p.WallsLeft(me)) / 10
			out[13] = float32(p.WallsLeft(you)) / 10
			out[14] = float32(toGoal[you][p.Pawn(you)]-toGoal[me][p.Pawn(me)]) / 8
			out[15] = 1
		}
	}
	return planes
}

type slow struct {
	b    *quoridor.Board
	p    quoridor.Position
	h, v uint64 // walls
}

func (s slow) goal(player int) (cells []quoridor.Cell) {
	for x := range s.b.W {
		cells = append(cells, quoridor.CellAt(x, (1-player)*(s.b.H-1)))
	}
	return cells
}

// cut tells whether a step is impossible, pawns aside.
func (s slow) cut(c quoridor.Cell, dx, dy int) bool {
	x, y := c.X(), c.Y()
	if x+dx < 0 || x+dx >= s.b.W || y+dy < 0 || y+dy >= s.b.H {
		return true
	}
	wall := func(walls uint64, x, y int) bool {
		return x >= 0 && x < s.b.W-1 && y >= 0 && y < s.b.H-1 && walls>>(8*y+x)&1 == 1
	}
	if dx == 0 {
		low := min(y, y+dy)
		return wall(s.h, x, low) || wall(s.h, x-1, low)
	}
	left := min(x, x+dx)
	return wall(s.v, left, y) || wall(s.v, left, y-1)
}

func (s slow) legal(action int) bool {
	m, ok := s.b.MoveOf(&s.p, action)
	return ok && s.b.IsLegal(&s.p, m)
}

// balance puts the wall where it may not be placed for want of walls, too, and counts the steps that it costs.
func (s slow) balance(action int) float32 {
	m, _ := s.b.MoveOf(&s.p, action)
	x, y, horizontal := m.Anchor()
	at := func(walls uint64, x, y int) bool { return x >= 0 && x < 8 && y >= 0 && y < 8 && walls>>(8*y+x)&1 == 1 }
	after := s
	if horizontal {
		if at(s.h, x-1, y) || at(s.h, x, y) || at(s.h, x+1, y) || at(s.v, x, y) {
			return 0
		}
		after.h |= 1 << (8*y + x)
	} else {
		if at(s.v, x, y-1) || at(s.v, x, y) || at(s.v, x, y+1) || at(s.h, x, y) {
			return 0
		}
		after.v |= 1 << (8*y + x)
	}
	cost := func(player int) int {
		c := s.p.Pawn(player)
		return after.distances(s.goal(player))[c] - s.distances(s.goal(player))[c]
	}
	own, opponent := cost(s.p.Side()), cost(1-s.p.Side())
	if own > 40 || opponent > 40 { // 81 for no path
		return 0
	}
	return float32(min(opponent, 8)-min(own, 8)) / 4
}

// distances relaxes until nothing changes; cells without a path keep 81.
func (s slow) distances(from []quoridor.Cell) (d [quoridor.NumCells]int) {
	for i := range d {
		d[i] = 81
	}
	for _, c := range from {
		d[c] = 0
	}
	for changed := true; changed; {
		changed = false
		for y := range s.b.H {
			for x := range s.b.W {
				for _, step := range [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
					c := quoridor.CellAt(x, y)
					if s.cut(c, step[0], step[1]) {
						continue
					}
					if next := quoridor.CellAt(x+step[0], y+step[1]); d[c]+1 < d[next] {
						d[next], changed = d[c]+1, true
					}
				}
			}
		}
	}
	return d
}

// Cells that walls close off are 81 steps away, not a truncated number.
func TestPlanesOfUnreachableCells(t *testing.T) {
	b, p, err := quoridor.ParsePosition("5x5 c1 c5 a2h,b1v 0,0 0")
	if err != nil {
		t.Fatal(err)
	}
	planes := encode(Config{}, b, p, false)
	if i := firstDifference(planes, slowPlanes(Config{}, b, p)); i >= 0 {
		t.Fatalf("plane %d", i%NumPlanes)
	}
	shape := kernel.Shape{H: 5, W: 5}
	if d := planes[shape.Offset(0, 0, 0, NumPlanes)+planeOwnDistance]; d != 81.0/16 {
		t.Errorf("distance of a1 is %v, want 81/16", d)
	}
}

// These numbers change only when the meaning of the planes does, and then
// FeatureSet must change with it.
func TestPlanesChecksum(t *testing.T) {
	for position, want := range map[string][2]uint32{
		"9x9 e1 e9 - 10,10 0":              {0x56dd6249, 0xd13b6ff7},
		"9x9 e4 e6 e3h,c6v 9,9 1":          {0xeecde354, 0x1b7365d1},
		"5x5 b2 d3 a1h,c2v,b3h 1,2 0":      {0x0aa4f870, 0x99079657},
		"4x7 c4 b4 a2v,c3h,b5h 3,1 1":      {0x14ba4540, 0x02bbb471},
		"9x9 a5 i6 a1h,c1h,e1h,g1h 8,8 1":  {0x684d948e, 0xdca023c3},
		"3x3 b1 b3 - 1,1 0":                {0x05f30f12, 0x20c12de2},
		"9x9 d5 e5 d4v,e5h,c7v,f2h 0,10 0": {0x5d7410ba, 0x8ef8c09a},
	} {
		b, p, err := quoridor.ParsePosition(position)
		if err != nil {
			t.Fatal(err)
		}
		for i, cfg := range featureSets {
			if got := planesChecksum(encode(cfg, b, p, false)); got != want[i] {
				t.Errorf("feature set %d, %s: checksum %#08x, want %#08x", cfg.FeatureSet(), position, got, want[i])
			}
		}
	}
}

// listening is a back end that keeps the planes that it is given.
type listening struct{ planes []float32 }

func (l *listening) maxBatch() int { return 1 }
func (l *listening) close() error  { return nil }
func (l *listening) forward(planes []float32, _ int, policy, wdl []float32) error {
	l.planes = slices.Clone(planes)
	return nil
}

// What a network is asked about in play are the planes that it was trained on,
// those of the position or of its mirror image.
func TestTrainerAndPlayerShareTheirPlanes(t *testing.T) {
	for _, text := range []string{"16x2x32", "16x2x32-detours", "16x2x32-distance"} {
		cfg, err := ParseConfig(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range testBoards {
			heard := &listening{}
			e, batch := newEvaluator(NewEncoder(cfg, b), heard), NewBatchFor(cfg, b, 1)
			for _, p := range positions(b, 20, 5) {
				evaluate(t, e, []quoridor.Position{p})
				x := Example{Position: p, Moves: b.Moves(nil, &p), WDL: [3]float32{1}, Weight: 1}
				frame := p
				if p.Side() == 1 {
					frame = b.Turn(p)
				}
				x.Mirror = frame.Compare(b.Mirror(frame)) > 0
				if err := batch.Set(0, x); err != nil {
					t.Fatal(err)
				}
				if planesChecksum(heard.planes) != planesChecksum(batch.Planes) {
					t.Fatalf("%s of %s: play and training see different planes", b.Format(p), text)
				}
			}
		}
	}
}

func planesChecksum(planes []float32) uint32 {
	var b []byte
	for _, v := range planes {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return crc32.ChecksumIEEE(b)
}

// The turned board with the players exchanged has the same planes.
func TestPlanesAreTheMoversFrame(t *testing.T) {
	for _, cfg := range featureSets {
		for _, b := range testBoards {
			for _, p := range positions(b, 30, 2) {
				for _, mirror := range []bool{false, true} {
					if !slices.Equal(encode(cfg, b, p, mirror), encode(cfg, b, b.Turn(p), mirror)) {
						t.Fatalf("feature set %d: %s differs from its turned form", cfg.FeatureSet(), b.Format(p))
					}
				}
			}
		}
	}
}

// Encoding the mirror image and mirroring the encoding are one thing, and the
// policy is mirrored with it.
func TestMirroredPlanes(t *testing.T) {
	for _, cfg := range featureSets {
		for _, b := range testBoards {
			for _, p := range positions(b, 30, 3) {
				checkMirrored(t, cfg, b, p)
			}
		}
	}
}

func checkMirrored(t *testing.T, cfg Config, b *quoridor.Board, p quoridor.Position) {
	t.Helper()
	swap := [NumPlanes]int{0, 1, 2, planeCutWest, 4, planeCutEast, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	atAnchor := []int{planeLegalH, planeLegalV} // at the lower left cell
	shape, e, image := kernel.Shape{H: b.H, W: b.W}, NewEncoder(cfg, b), b.Mirror(p)
	plain, mirrored := encode(cfg, b, p, false), encode(cfg, b, p, true)
	if !slices.Equal(mirrored, encode(cfg, b, image, false)) {
		t.Fatalf("feature set %d: %s differs from its mirror image", cfg.FeatureSet(), b.Format(p))
	}
	if cfg.DetourPlanes { // there is no plane for the cuts to the west
		swap[planeDetourV], swap[planeCutEast] = planeDetourV, -1
		atAnchor = append(atAnchor, planeDetourH, planeDetourV)
	}
	for y := range b.H {
		for x := range b.W {
			for plane := range NumPlanes {
				column := b.W - 1 - x
				if slices.Contains(atAnchor, plane) {
					column--
				}
				if swap[plane] < 0 {
					continue
				}
				got := mirrored[shape.Offset(0, y, x, NumPlanes)+plane]
				if want := plain[shape.Offset(0, y, column, NumPlanes)+swap[plane]]; got != want {
					t.Fatalf("feature set %d, %s: plane %d of cell %d,%d is %v, want %v", cfg.FeatureSet(), b.Format(p), plane, x, y, got, want)
				}
			}
		}
	}
	for _, m := range b.Moves(nil, &p) {
		if got, want := e.Action(&p, m, true), e.Action(&image, b.MirrorMove(m), false); got != want {
			t.Fatalf("%s: %v is action %d mirrored, want %d", b.Format(p), m, got, want)
		}
	}
}

func TestEncodeDoesNotAllocate(t *testing.T) {
	b := quoridor.MustBoard(9, 9, 10)
	e, p := NewEncoder(DefaultConfig(), b), positions(b, 1, 1)[0]
	dst, moves := kernel.Alloc(e.Len()), b.Moves(nil, &p)
	if n := testing.AllocsPerRun(50, func() { e.Encode(dst, &p, moves, true) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// An encoder carries nothing over from one position to the next, and leaves the
// halo alone.
func TestEncodeOverwrites(t *testing.T) {
	b := quoridor.MustBoard(5, 5, 5)
	e := NewEncoder(DefaultConfig(), b)
	dst := kernel.Alloc(e.Len())
	for _, p := range positions(b, 50, 4) {
		e.Encode(dst, &p, b.Moves(nil, &p), false)
		if !slices.Equal(dst, encode(DefaultConfig(), b, p, false)) {
			t.Fatalf("%s differs in a used buffer", b.Format(p))
		}
	}
}

func BenchmarkEncode(bench *testing.B) {
	for _, cfg := range featureSets {
		b := quoridor.MustBoard(9, 9, 10)
		bench.Run(fmt.Sprintf("features=%d", cfg.FeatureSet()), func(bench *testing.B) {
			e, pos := NewEncoder(cfg, b), positions(b, 64, 1)
			dst := kernel.Alloc(e.Len())
			var moves [][]quoridor.Move
			for i := range pos {
				moves = append(moves, b.Moves(nil, &pos[i]))
			}
			bench.ReportAllocs()
			for i := 0; bench.Loop(); i++ {
				e.Encode(dst, &pos[i%64], moves[i%64], i&1 == 0)
			}
		})
	}
}
