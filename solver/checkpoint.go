package solver

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"rampart/internal/durable"
)

// A checkpoint is the magic line and then, as one zstd frame with its checksum, little-endian: the header, the layer below the one
// being worked out (if any), and what is done of that one. The wall classes are not in it; they are listed anew.
const checkpointMagic = "rampart solver checkpoint 1\n"

// checkpointHeader says which table the checkpoint belongs to and how far it got.
type checkpointHeader struct {
	Width, Height uint8
	RootH, RootV  uint64
	Left          [2]uint32
	Layers, Layer uint32 // number of layers, and the one being worked out
}

func (t *table) header(layer int) checkpointHeader {
	return checkpointHeader{
		Width: uint8(t.shape.w), Height: uint8(t.shape.h), RootH: t.root.h, RootV: t.root.v,
		Left: [2]uint32{uint32(t.left[0]), uint32(t.left[1])}, Layers: uint32(len(t.layers)), Layer: uint32(layer),
	}
}

// save writes a checkpoint: the complete layer below the one given, and the part of that one that is done.
func (t *table) save(path string, layer int) error {
	return durable.Write(path, func(file io.Writer) error {
		buffered := bufio.NewWriterSize(file, 1<<20)
		if _, err := buffered.WriteString(checkpointMagic); err != nil {
			return err
		}
		z, err := zstd.NewWriter(buffered, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		w := &stickyWriter{w: z}
		w.put(t.header(layer))
		if layer+1 < len(t.layers) {
			t.layers[layer+1].write(w)
		}
		t.layers[layer].write(w)
		if w.err != nil {
			return errors.Join(w.err, z.Close())
		}
		if err := z.Close(); err != nil {
			return err
		}
		return buffered.Flush()
	})
}

// write writes the layer's values: which batches of classes are done, the block numbers, and the blocks by chunk.
func (l *layer) write(w *stickyWriter) {
	chunks := [][]byte{}
	if l.arena != nil {
		chunks = l.arena.chunks
	}
	w.put([]uint32{uint32(len(l.keys)), uint32(len(l.done)), uint32(len(l.blocks)), uint32(len(chunks))})
	w.put(l.done)
	w.put(l.blocks)
	for _, chunk := range chunks {
		w.bytes(chunk)
	}
}

// resume reads the checkpoint into the table, whose layers must be listed already, and returns the layer to go on with. Without
// a file it returns the last layer. Errors wrap [ErrCheckpoint] or [ErrMemory].
func (t *table) resume(path string) (layer int, err error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return len(t.layers) - 1, nil
	}
	if err != nil {
		return 0, err
	}
	defer file.Close()
	layer, err = t.read(file)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return layer, nil
}

func (t *table) read(file io.Reader) (layer int, err error) {
	z, err := openFrame(file, checkpointMagic)
	if err != nil {
		return 0, err
	}
	defer z.Close()
	return t.readFrame(z)
}

// openFrame checks the magic line and returns a reader of what follows it.
func openFrame(file io.Reader, magic string) (*zstd.Decoder, error) {
	line := make([]byte, len(magic))
	if _, err := io.ReadFull(file, line); err != nil || string(line) != magic {
		return nil, fmt.Errorf("%w: not a %s; remove it to start afresh", ErrCheckpoint, strings.TrimSpace(magic))
	}
	return zstd.NewReader(bufio.NewReaderSize(file, 1<<20), zstd.WithDecoderConcurrency(1))
}

// readFrame reads what the frame holds.
func (t *table) readFrame(z io.Reader) (layer int, err error) {
	var h checkpointHeader
	if err := binary.Read(z, binary.LittleEndian, &h); err != nil {
		return 0, damaged(err)
	}
	if h != t.header(int(h.Layer)) || h.Layer >= h.Layers {
		return 0, fmt.Errorf("%w: it belongs to another position (%dx%d, %d,%d walls left); name another file or remove it",
			ErrCheckpoint, h.Width, h.Height, h.Left[0], h.Left[1])
	}
	layer = int(h.Layer)
	if layer+1 < len(t.layers) {
		if err := t.readLayer(z, layer+1, true); err != nil {
			return 0, err
		}
	}
	if err := t.readLayer(z, layer, false); err != nil {
		return 0, err
	}
	if n, err := z.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		return 0, damaged(err)
	}
	for _, l := range t.layers[min(layer+2, len(t.layers)):] {
		l.forget()
	}
	return layer, nil
}

func damaged(err error) error {
	if err == nil {
		err = errors.New("something follows its end")
	}
	return fmt.Errorf("%w: it is damaged (%w); remove it to start afresh", ErrCheckpoint, err)
}

// readLayer reads what write wrote, and checks that it fits the layer.
func (t *table) readLayer(r io.Reader, k int, complete bool) error {
	l := t.layers[k]
	var counts [4]uint32
	if err := binary.Read(r, binary.LittleEndian, &counts); err != nil {
		return damaged(err)
	}
	l.begin(newArena(t.budget, t.blockSize()))
	if int(counts[0]) != len(l.keys) || int(counts[1]) != len(l.done) || int(counts[2]) != len(l.blocks) || int(counts[3]) > len(l.blocks)+64 {
		return damaged(errors.New("its sizes do not fit"))
	}
	for _, to := range []any{l.done, l.blocks} {
		if err := binary.Read(r, binary.LittleEndian, to); err != nil {
			return damaged(err)
		}
	}
	for range counts[3] {
		first, err := l.arena.extend()
		if err != nil {
			return err
		}
		if _, err := io.ReadFull(r, l.arena.chunks[first>>l.arena.shift]); err != nil {
			return damaged(err)
		}
	}
	stored := counts[3] << l.arena.shift
	if slices.Contains(l.done, true) && slices.Max(l.blocks) >= stored || complete && slices.Contains(l.done, false) {
		return damaged(errors.New("a value is missing"))
	}
	return nil
}

// stickyWriter remembers the first error.
type stickyWriter struct {
	w   io.Writer
	err error
}

func (w *stickyWriter) put(v any) {
	if w.err == nil {
		w.err = binary.Write(w.w, binary.LittleEndian, v)
	}
}

func (w *stickyWriter) bytes(b []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
}
