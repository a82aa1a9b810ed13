package data

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"rampart/quoridor"
)

// npzArray is one array of the export. Its first dimension is the row.
type npzArray struct {
	name  string
	typ   npyType
	shape func(*quoridor.Board) []int // of one row
	put   func(dst []byte, r *npzRow) // fills one row, which is zero before
}

// npzRow is what a row of the arrays is made of.
type npzRow struct {
	board    *quoridor.Board
	game     *Game
	search   *Search
	position quoridor.Position
	turned   quoridor.Position // as the mover sees it: he is player 0 and heads up
	legal    []quoridor.Move
}

// The channels of the arrays are listed in FORMAT.md.
var npzArrays = []npzArray{
	{"binaryInputNCHW", npyUint8, func(b *quoridor.Board) []int { return []int{4, b.H, b.W} }, putPlanes},
	{"globalInputNC", npyFloat32, func(*quoridor.Board) []int { return []int{4} }, putGlobals},
	{"policyTargetsNCMove", npyUint16, func(b *quoridor.Board) []int { return []int{1, b.NumActions()} }, putPolicy},
	{"legalMovesNCMove", npyUint8, func(b *quoridor.Board) []int { return []int{1, b.NumActions()} }, putLegal},
	{"globalTargetsNC", npyFloat32, func(*quoridor.Board) []int { return []int{6} }, putTargets},
	{"rowInfoNC", npyUint64, func(*quoridor.Board) []int { return []int{5} }, putInfo},
}

func putPlanes(dst []byte, r *npzRow) {
	b, p := r.board, &r.turned
	cell := func(channel, x, y int) { dst[(channel*b.H+y)*b.W+x] = 1 }
	for player := range 2 {
		c := p.Pawn(player)
		cell(player, c.X(), c.Y())
	}
	for _, m := range p.Walls() {
		x, y, horizontal := m.Anchor()
		if horizontal {
			cell(2, x, y)
		} else {
			cell(3, x, y)
		}
	}
}

func putFloats(dst []byte, values ...float64) {
	for i, v := range values {
		binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(float32(v)))
	}
}

func putGlobals(dst []byte, r *npzRow) {
	putFloats(dst, float64(r.turned.WallsLeft(0)), float64(r.turned.WallsLeft(1)), float64(r.search.Ply), float64(r.game.Rules.PlyCap))
}

func putPolicy(dst []byte, r *npzRow) {
	for _, e := range r.search.Policy {
		binary.LittleEndian.PutUint16(dst[2*r.board.Action(&r.position, e.Move):], e.P)
	}
}

func putLegal(dst []byte, r *npzRow) {
	for _, m := range r.legal {
		dst[r.board.Action(&r.position, m)] = 1
	}
}

func putTargets(dst []byte, r *npzRow) {
	wdl := outcomeShares(r.game.Outcome(r.search.Ply))
	left := len(r.game.Moves) - r.search.Ply
	putFloats(dst, float64(wdl[0]), float64(wdl[1]), float64(wdl[2]), r.search.RootValue(), float64(left), float64(r.search.Visits))
}

func putInfo(dst []byte, r *npzRow) {
	for i, v := range []uint64{uint64(r.game.Generation), r.game.ID, uint64(r.search.Ply), uint64(r.position.Side()), uint64(r.search.Flags)} {
		binary.LittleEndian.PutUint64(dst[8*i:], v)
	}
}

// ExportNPZ writes the training rows of the shards as a NumPy archive of the arrays that FORMAT.md describes and returns the number of rows. It
// goes over the shards once for each array, so that memory does not grow with them.
func ExportNPZ(w io.Writer, paths []string) (rows int, err error) {
	var board *quoridor.Board
	err = visitAll(paths, func(h *Header, g *Game) error {
		board = h.Board
		rows += g.Rows()
		return nil
	})
	if err != nil {
		return 0, err
	}
	if board == nil {
		return 0, fmt.Errorf("%w: no game to export", ErrFolder)
	}
	archive := zip.NewWriter(w)
	for i := range npzArrays {
		if err := npzArrays[i].write(archive, board, paths, rows); err != nil {
			return 0, err
		}
	}
	return rows, archive.Close()
}

// errEnough ends the reading of a shard that has grown since its rows were counted.
var errEnough = errors.New("enough rows")

// write adds the array to the archive.
func (a *npzArray) write(archive *zip.Writer, b *quoridor.Board, paths []string, rows int) error {
	entry, err := archive.Create(a.name + ".npy")
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(entry, 1<<16)
	shape := a.shape(b)
	if err := writeNPYHeader(out, a.typ, append([]int{rows}, shape...)); err != nil {
		return err
	}
	size := a.typ.size
	for _, n := range shape {
		size *= n
	}
	buffer := make([]byte, size)
	written := 0
	err = eachRow(b, paths, func(r *npzRow) error {
		if written == rows {
			return errEnough
		}
		written++
		clear(buffer)
		a.put(buffer, r)
		_, err := out.Write(buffer)
		return err
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if written < rows {
		return fmt.Errorf("%w: %d of %d rows are left: a shard has changed while it was read", ErrTruncated, written, rows)
	}
	return out.Flush()
}

// eachRow calls the function for each training row of the shards. The row is reused.
func eachRow(b *quoridor.Board, paths []string, visit func(*npzRow) error) error {
	var legal legalMoves
	return visitAll(paths, func(_ *Header, g *Game) error {
		row := npzRow{board: b, game: g}
		p, ply := b.Start(), 0
		for i := range g.Searches {
			s := &g.Searches[i]
			for ; ply < s.Ply; ply++ {
				p = b.Play(p, g.Moves[ply])
			}
			if !s.Trains() {
				continue
			}
			row.search, row.position, row.turned, row.legal = s, p, p, legal.of(b, &p)
			if p.Side() == 1 {
				row.turned = b.Turn(p)
			}
			if err := visit(&row); err != nil {
				return err
			}
		}
		return nil
	})
}
