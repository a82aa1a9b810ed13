package solver

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"

	"rampart/internal/durable"
	"rampart/quoridor"
)

// A search's checkpoint is the magic line and then, as one zstd frame with its checksum, little-endian: the header and the entries of the
// transposition table.
const searchMagic = "rampart search checkpoint 1\n"

type searchHeader struct {
	Width, Height uint8
	Root          storedPosition
	Depth         uint32 // being searched when the search was stopped; none below has an answer
	Nodes         uint64
	Entries       uint64
}

// storedPosition and storedEntry are what a file holds of a position and of an entry.
type storedPosition struct {
	H, V uint64
	Pawn [2]uint8
	Left [2]uint8
	Side uint8
}

type storedEntry struct {
	Position                         storedPosition
	WinBy, NoWinBy, LossBy, NoLossBy uint8
	Best                             uint8
}

func store(p *quoridor.Position) storedPosition {
	return storedPosition{
		H: p.HWalls(), V: p.VWalls(),
		Pawn: [2]uint8{uint8(p.Pawn(0)), uint8(p.Pawn(1))},
		Left: [2]uint8{uint8(p.WallsLeft(0)), uint8(p.WallsLeft(1))}, Side: uint8(p.Side()),
	}
}

func (s *storedPosition) restore(b *quoridor.Board) (quoridor.Position, error) {
	return b.NewPosition(s.H, s.V, [2]quoridor.Cell{quoridor.Cell(s.Pawn[0]), quoridor.Cell(s.Pawn[1])},
		[2]int{int(s.Left[0]), int(s.Left[1])}, int(s.Side))
}

// save writes the search for the root's value to the file.
func (p *Prover) save(path string, root *quoridor.Position) error {
	return durable.Write(path, func(file io.Writer) error {
		buffered := bufio.NewWriterSize(file, 1<<20)
		if _, err := buffered.WriteString(searchMagic); err != nil {
			return err
		}
		z, err := zstd.NewWriter(buffered, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		w := &stickyWriter{w: z}
		w.put(searchHeader{
			Width: uint8(p.board.W), Height: uint8(p.board.H), Root: store(root),
			Depth: uint32(p.depth), Nodes: p.nodes, Entries: uint64(p.table.used),
		})
		for i := range p.table.entries {
			if e := &p.table.entries[i]; e.taken {
				w.put(storedEntry{store(&e.position), e.winBy, e.noWinBy, e.lossBy, e.noLossBy, uint8(e.best)})
			}
		}
		if w.err != nil {
			return errors.Join(w.err, z.Close())
		}
		if err := z.Close(); err != nil {
			return err
		}
		return buffered.Flush()
	})
}

// resume reads the file, if it is there, and returns the depth to go on with. Nothing is taken over from a file that is refused.
func (p *Prover) resume(path string, root *quoridor.Position) (depth int, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 1, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	if depth, err = p.read(file, root); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return depth, nil
}

func (p *Prover) read(file io.Reader, root *quoridor.Position) (depth int, err error) {
	z, err := openFrame(file, searchMagic)
	if err != nil {
		return 0, err
	}
	defer z.Close()
	return p.readFrame(z, root)
}

// readFrame reads what the frame holds.
func (p *Prover) readFrame(z io.Reader, root *quoridor.Position) (depth int, err error) {
	var h searchHeader
	if err := binary.Read(z, binary.LittleEndian, &h); err != nil {
		return 0, damaged(err)
	}
	if int(h.Width) != p.board.W || int(h.Height) != p.board.H || h.Root != store(root) {
		return 0, fmt.Errorf("%w: it belongs to another position (%dx%d, %d,%d walls left); name another file or remove it",
			ErrCheckpoint, h.Width, h.Height, h.Root.Left[0], h.Root.Left[1])
	}
	fresh := &transpositions{entries: make([]entry, len(p.table.entries))}
	for range h.Entries {
		var s storedEntry
		if err := binary.Read(z, binary.LittleEndian, &s); err != nil {
			return 0, damaged(err)
		}
		pos, err := s.Position.restore(p.board)
		if err != nil {
			return 0, damaged(err)
		}
		fresh.put(&entry{
			position: pos, winBy: s.WinBy, noWinBy: s.NoWinBy, lossBy: s.LossBy, noLossBy: s.NoLossBy,
			best: quoridor.Move(s.Best), taken: true,
		})
	}
	if n, err := z.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		return 0, damaged(err)
	}
	if h.Depth < 1 {
		return 0, damaged(errors.New("depth 0"))
	}
	p.table, p.nodes = fresh, h.Nodes
	return int(h.Depth), nil
}
