package train

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"rampart/internal/durable"
	"rampart/nn"
	"rampart/nn/onnx"
)

// Checkpoint is the whole state of the trainer after the training stage of a generation: with it and the shards, training goes on as
// if it had never stopped.
type Checkpoint struct {
	Run        string // settings that a run cannot change
	Generation int    // whose training stage is done
	Rows       int    // rows of all shards up to it
	Trainer    nn.TrainerState
	Average    nn.EMAState
	Random     []byte // state of the random source that draws rows
}

// A checkpoint file is
//
//	8 bytes   "RMPCKPT" and the format version, 1
//	4 bytes   length of the header, little endian
//	header    JSON: the numbers, and the lengths of the arrays
//	arrays    weights, first moments, second moments, averaged weights: float32, little endian
//	4 bytes   CRC-32C of everything before, little endian
const (
	checkpointMagic   = "RMPCKPT"
	checkpointVersion = 1
	maxHeader         = 1 << 16
	maxCheckpoint     = maxHeader + 4*onnx.MaxFileSize // each array is as large as the weights, which fit in a model file
)

type checkpointHeader struct {
	Run        string `json:"run"`
	Generation int    `json:"generation"`
	Rows       int    `json:"rows"`
	Step       int    `json:"step"`
	Updates    int    `json:"updates"` // of the moving average
	Random     []byte `json:"random"`
	Lengths    [4]int `json:"lengths"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// marshal returns the bytes of the checkpoint file.
func (c *Checkpoint) marshal() ([]byte, error) {
	arrays := c.arrays()
	h := checkpointHeader{Run: c.Run, Generation: c.Generation, Rows: c.Rows, Step: c.Trainer.Step, Updates: c.Average.Updates, Random: c.Random}
	for i, a := range arrays {
		h.Lengths[i] = len(*a)
	}
	header, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	out := append([]byte(checkpointMagic), checkpointVersion)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(header)))
	out = append(out, header...)
	for _, a := range arrays {
		for _, v := range *a {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		}
	}
	return binary.LittleEndian.AppendUint32(out, crc32.Checksum(out, castagnoli)), nil
}

func (c *Checkpoint) arrays() [4]*[]float32 {
	return [4]*[]float32{&c.Trainer.Weights, &c.Trainer.M, &c.Trainer.V, &c.Average.Weights}
}

// unmarshalCheckpoint reads a checkpoint file. Its errors wrap [ErrDamaged].
func unmarshalCheckpoint(file []byte) (*Checkpoint, error) {
	damaged := func(format string, args ...any) (*Checkpoint, error) {
		return nil, fmt.Errorf("%w: "+format, append([]any{ErrDamaged}, args...)...)
	}
	if len(file) < 16 || string(file[:7]) != checkpointMagic {
		return damaged("not a checkpoint")
	}
	if file[7] != checkpointVersion {
		return damaged("checkpoint format %d, this program reads format %d", file[7], checkpointVersion)
	}
	body := file[:len(file)-4]
	if sum := binary.LittleEndian.Uint32(file[len(body):]); sum != crc32.Checksum(body, castagnoli) {
		return damaged("checksum does not match: truncated or altered")
	}
	size := int(binary.LittleEndian.Uint32(file[8:]))
	body = body[12:]
	if size > maxHeader || size > len(body) {
		return damaged("header of %d bytes", size)
	}
	var h checkpointHeader
	if err := json.NewDecoder(bytes.NewReader(body[:size])).Decode(&h); err != nil {
		return damaged("header: %v", err)
	}
	body = body[size:]
	c := &Checkpoint{Run: h.Run, Generation: h.Generation, Rows: h.Rows, Random: h.Random}
	c.Trainer.Step, c.Average.Updates = h.Step, h.Updates
	for i, a := range c.arrays() {
		n := h.Lengths[i]
		if n < 0 || n > len(body)/4 {
			return damaged("array %d claims %d numbers, %d bytes are left", i, n, len(body))
		}
		*a = make([]float32, n)
		for j := range *a {
			(*a)[j] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*j:]))
		}
		body = body[4*n:]
	}
	if len(body) != 0 {
		return damaged("%d bytes too many", len(body))
	}
	return c, nil
}

// loadCheckpoint reads a checkpoint file. The error names it.
func loadCheckpoint(path string) (*Checkpoint, error) {
	file, err := readFile(path, maxCheckpoint)
	if err != nil {
		return nil, err
	}
	c, err := unmarshalCheckpoint(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// writeCheckpoint writes the checkpoint of its generation and removes all but the newest few.
func (f Folder) writeCheckpoint(c *Checkpoint, keep int) error {
	file, err := c.marshal()
	if err != nil {
		return err
	}
	if err := durable.WriteFile(f.ckptPath(c.Generation), file); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return f.pruneCheckpoints(keep)
}

// pruneCheckpoints removes all checkpoints but the newest few.
func (f Folder) pruneCheckpoints(keep int) error {
	names, err := f.checkpoints()
	if err != nil {
		return err
	}
	for _, name := range names[:max(0, len(names)-keep)] {
		if err := durable.Remove(name); err != nil {
			return fmt.Errorf("old checkpoint: %w", err)
		}
	}
	return nil
}

// checkpoints lists the checkpoint files, oldest first.
func (f Folder) checkpoints() ([]string, error) {
	names, err := filepath.Glob(filepath.Join(f.checkpointDir(), "*.ckpt"))
	slices.Sort(names)
	return names, err
}

// readCheckpoint returns the newest whole checkpoint, or nil if there is none. Damaged ones are set aside under another name and told to
// warn.
func (f Folder) readCheckpoint(run string, warn func(error)) (*Checkpoint, error) {
	names, err := f.checkpoints()
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Backward(names) {
		c, err := loadCheckpoint(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil && !errors.Is(err, ErrDamaged) {
			return nil, err
		}
		if err == nil && c.Run != run {
			return nil, fmt.Errorf("%w: %s belongs to a run with %s, this one has %s", ErrConfig, name, c.Run, run)
		}
		if err == nil {
			return c, nil
		}
		aside, e := setAside(name)
		if e != nil {
			return nil, fmt.Errorf("%w, and it cannot be set aside: %w", err, e)
		}
		warn(fmt.Errorf("%w; set aside as %s", err, filepath.Base(aside)))
	}
	if len(names) > 0 {
		warn(fmt.Errorf("%w: no whole checkpoint is left in %s; training begins again with the run's first weights", ErrDamaged, f.checkpointDir()))
	}
	return nil, nil
}
