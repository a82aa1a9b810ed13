package nn

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"rampart/nn/graph"
)

func TestConfig(t *testing.T) {
	for text, want := range map[string]Config{
		"32x4":      {Channels: 32, Blocks: 4, Hidden: 64, DetourPlanes: true},
		"64x6x64":   {Channels: 64, Blocks: 6, Hidden: 64, DetourPlanes: true},
		"16x0x32":   {Channels: 16, Blocks: 0, Hidden: 32, DetourPlanes: true},
		"256x40x16": {Channels: 256, Blocks: 40, Hidden: 16, DetourPlanes: true},
		"medium":    {Channels: 64, Blocks: 6, Hidden: 64, DetourPlanes: true},

		"32x4+reply+margin+plies": {Channels: 32, Blocks: 4, Hidden: 64, Heads: "reply+margin+plies", DetourPlanes: true},
		"32x4x96-distance+plies":  {Channels: 32, Blocks: 4, Hidden: 96, Heads: "plies", NoDistance: true},
		"32x4-detours":            {Channels: 32, Blocks: 4, Hidden: 64},
		"nano-detours+plies":      {Channels: 16, Blocks: 2, Hidden: 64, Heads: "plies"},
		"nano-distance":           {Channels: 16, Blocks: 2, Hidden: 64, NoDistance: true},
		"huge+reply":              {Channels: 96, Blocks: 10, Hidden: 64, Heads: "reply", DetourPlanes: true},
	} {
		got, err := ParseConfig(text)
		if err != nil || got != want {
			t.Errorf("ParseConfig(%q) = %v, %v", text, got, err)
		}
		if again, err := ParseConfig(got.Text()); err != nil || again != got {
			t.Errorf("%+v prints as %q", got, got.Text())
		}
	}
	for _, text := range []string{
		"", "32", "32x", "x4", "32x4x64x1", "33x4", "0x4", "-16x4", "272x4", "32x-1", "32x41", "32x4x8", "32x4x0", "32x4x520", "a x b", "32 x4",
		"32x4+", "32x4+value", "32x4+plies+reply", "32x4+reply+reply", "32x4+reply+", "32x4++reply", "32x4-walls", "32x4+reply-distance", "enormous",
	} {
		if _, err := ParseConfig(text); !errors.Is(err, ErrConfig) {
			t.Errorf("ParseConfig(%q): %v", text, err)
		}
	}
	c := DefaultConfig()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
	if c.NoDistance = true; !errors.Is(c.Validate(), ErrConfig) {
		t.Error("detours for a network that is to see no distances")
	}
}

func TestNewWeights(t *testing.T) {
	cfg := Config{Channels: 32, Blocks: 4, Hidden: 64}
	w := newWeights(t, cfg, 1)
	if !reflect.DeepEqual(w, newWeights(t, cfg, 1)) {
		t.Error("the same seed gives other weights")
	}
	if reflect.DeepEqual(w.Flat(), newWeights(t, cfg, 2).Flat()) {
		t.Error("another seed gives the same weights")
	}
	for _, tensor := range w.Tensors() {
		sum, square := 0.0, 0.0
		for _, v := range tensor.Data {
			sum, square = sum+float64(v), square+float64(v)*float64(v)
		}
		n := float64(len(tensor.Data))
		mean, deviation := sum/n, math.Sqrt(square/n-sum*sum/n/n)
		want, spread := 0.0, 0.0
		switch {
		case strings.HasSuffix(tensor.Name, "norm2.scale"):
			want = 0.5 // 1/sqrt(4)
		case strings.HasSuffix(tensor.Name, ".scale"), strings.HasSuffix(tensor.Name, ".variance"):
			want = 1
		case tensor.Name == "hidden.weight":
			spread = math.Sqrt(2.0 / 96)
		case tensor.Name == "wall.weight":
			spread = math.Sqrt(2.0/128) / 10
		case tensor.Kind == graph.Weight && len(tensor.Shape) == 2:
			spread = math.Sqrt(2.0/64) / 10
		case tensor.Kind == graph.Weight:
			spread = math.Sqrt(2.0 / 9 / float64(tensor.Shape[1]))
		}
		if math.Abs(mean-want) > 4*spread/math.Sqrt(n)+1e-6 || math.Abs(deviation-spread) > spread/4+1e-3 {
			t.Errorf("%s: mean %.4f, deviation %.4f, want %.4f and %.4f", tensor.Name, mean, deviation, want, spread)
		}
	}
	if _, err := NewWeights(Config{}, 1); !errors.Is(err, ErrConfig) {
		t.Errorf("error %v", err)
	}
}

// 16 planes to 32 channels, 8 convolutions, 9 norms of 2 learned vectors, heads.
func TestNumParams(t *testing.T) {
	want := 32*16*9 + 8*32*32*9 + 9*2*32 + (2*32*4 + 2) + (96*64 + 64) + (64*12 + 12) + (64*3 + 3)
	if got := newWeights(t, Config{Channels: 32, Blocks: 4, Hidden: 64}, 1).NumParams(); got != want {
		t.Errorf("%d parameters, want %d", got, want)
	}
}

func TestFlat(t *testing.T) {
	w, other := trained(t, tiny, 1), trained(t, tiny, 2)
	clone := other.Clone()
	if err := other.SetFlat(w.Flat()); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(w, other) || reflect.DeepEqual(w, clone) {
		t.Error("SetFlat(Flat()) is not a copy")
	}
	if err := clone.CopyFrom(w); err != nil || !reflect.DeepEqual(w, clone) {
		t.Errorf("CopyFrom: %v", err)
	}
	flat := w.Flat()
	flat[7] = float32(math.Inf(1))
	for name, v := range map[string][]float32{"short": flat[1:8], "infinite": flat, "none": nil} {
		if err := clone.SetFlat(v); !errors.Is(err, ErrFormat) || !reflect.DeepEqual(w, clone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := newWeights(t, DefaultConfig(), 1).CopyFrom(w); !errors.Is(err, ErrIncompatible) {
		t.Errorf("CopyFrom: %v", err)
	}
}

func TestEMA(t *testing.T) {
	w := newWeights(t, tiny, 1)
	e, err := NewEMA(w, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	x := &w.Tensors()[0].Data[0]
	want := float64(*x)
	for n, decay := range []float64{0.1, 2.0 / 11, 0.25, 4.0 / 13, 5.0 / 14, 0.4, 7.0 / 16, 8.0 / 17, 0.5, 0.5, 0.5} {
		*x = float32(n * n)
		want = decay*want + (1-decay)*float64(n*n)
		if err := e.Update(w); err != nil {
			t.Fatal(err)
		}
		if got := float64(e.Weights().Tensors()[0].Data[0]); math.Abs(got-want) > 1e-4*math.Abs(want) {
			t.Errorf("after %d updates the average is %v, want %v", n+1, got, want)
		}
	}
	if err := e.Update(newWeights(t, DefaultConfig(), 1)); !errors.Is(err, ErrIncompatible) {
		t.Errorf("error %v", err)
	}
	for _, decay := range []float64{-0.1, 1, math.NaN()} {
		if _, err := NewEMA(w, decay); !errors.Is(err, ErrConfig) {
			t.Errorf("decay %v: %v", decay, err)
		}
	}
	for _, s := range []EMAState{{-1, w.Flat()}, {1, nil}} {
		if err := e.Restore(s); !errors.Is(err, ErrFormat) {
			t.Errorf("error %v", err)
		}
	}
}

// An average that is not moved stays what it was, bit for bit.
func TestEMAOfConstantWeights(t *testing.T) {
	w := trained(t, tiny, 1)
	e, err := NewEMA(w, 0.999)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if err := e.Update(w); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(e.Weights(), w) {
		t.Error("the average moved")
	}
}
