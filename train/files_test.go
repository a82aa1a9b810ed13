package train

import (
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"rampart/nn"
)

func someCheckpoint(generation int) *Checkpoint {
	random := rand.New(rand.NewPCG(1, uint64(generation)))
	array := func(n int) []float32 {
		a := make([]float32, n)
		for i := range a {
			a[i] = random.Float32()
		}
		return a
	}
	return &Checkpoint{
		Run: "board 5x5", Generation: generation, Rows: 1234,
		Trainer: nn.TrainerState{Step: 56, Weights: array(40), M: array(30), V: array(30)},
		Average: nn.EMAState{Updates: 55, Weights: array(40)}, Random: []byte("random source"),
	}
}

func TestCheckpointRoundTrip(t *testing.T) {
	c := someCheckpoint(7)
	file, err := c.marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := unmarshalCheckpoint(file)
	if err != nil || !reflect.DeepEqual(back, c) {
		t.Errorf("reads back as %+v: %v", back, err)
	}
}

// TestCheckpointDamage cuts the file at every length and flips a bit in every byte: all of it is noticed.
func TestCheckpointDamage(t *testing.T) {
	file, err := someCheckpoint(7).marshal()
	if err != nil {
		t.Fatal(err)
	}
	for n := range file {
		if _, err := unmarshalCheckpoint(file[:n]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut to %d bytes: error %v", n, err)
		}
		flipped := append([]byte(nil), file...)
		flipped[n] ^= 1 << (n % 8)
		if _, err := unmarshalCheckpoint(flipped); !errors.Is(err, ErrDamaged) {
			t.Fatalf("bit flipped in byte %d: error %v", n, err)
		}
	}
}

func FuzzCheckpoint(f *testing.F) {
	file, err := someCheckpoint(7).marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add(file[:20])
	f.Fuzz(func(t *testing.T, file []byte) {
		if c, err := unmarshalCheckpoint(file); (c == nil) == (err == nil) {
			t.Fatalf("checkpoint %v, error %v", c, err)
		}
	})
}

// TestDamagedCheckpointIsSetAside: the newest whole checkpoint is used, what is damaged keeps its bytes under another name.
func TestDamagedCheckpointIsSetAside(t *testing.T) {
	f := Folder(t.TempDir())
	if err := os.MkdirAll(f.checkpointDir(), 0o755); err != nil {
		t.Fatal(err)
	}
	for g := 1; g <= 5; g++ {
		if err := f.writeCheckpoint(someCheckpoint(g), 3); err != nil {
			t.Fatal(err)
		}
	}
	if names, _ := f.checkpoints(); len(names) != 3 {
		t.Fatalf("%d checkpoints are kept, want 3", len(names))
	}
	if err := os.Truncate(f.ckptPath(5), 100); err != nil {
		t.Fatal(err)
	}
	var warnings []error
	c, err := f.readCheckpoint("board 5x5", func(err error) { warnings = append(warnings, err) })
	if err != nil || c.Generation != 4 || len(warnings) != 1 || !strings.Contains(warnings[0].Error(), f.ckptPath(5)) {
		t.Errorf("checkpoint %+v, error %v, warnings %v", c, err, warnings)
	}
	if _, err := os.Stat(f.ckptPath(5) + ".damaged"); err != nil {
		t.Error(err)
	}
	if _, err := f.readCheckpoint("board 9x9", nil); !errors.Is(err, ErrConfig) {
		t.Errorf("a checkpoint of another run: %v", err)
	}
	for _, g := range []int{3, 4} {
		if err := os.Truncate(f.ckptPath(g), 100); err != nil {
			t.Fatal(err)
		}
	}
	warnings = nil
	c, err = f.readCheckpoint("board 5x5", func(err error) { warnings = append(warnings, err) })
	if c != nil || err != nil || len(warnings) != 3 || !strings.Contains(warnings[2].Error(), "begins again") {
		t.Errorf("none is whole: checkpoint %+v, error %v, warnings %v", c, err, warnings)
	}
}
