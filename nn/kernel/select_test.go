package kernel

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestSelect(t *testing.T) {
	t.Setenv(EnvImplementation, "")
	useImplementation(t, Implementation())
	for _, name := range Implementations() {
		if err := Select(name); err != nil {
			t.Fatal(err)
		}
		if got := Implementation(); got != name {
			t.Errorf("selected %s, got %s", name, got)
		}
	}
	if err := Select(""); err != nil {
		t.Fatal(err)
	}
	if got, want := Implementation(), Implementations()[0]; got != want {
		t.Errorf("the default is %s, want the best, %s", got, want)
	}
}

func TestSelectRefusesUnknownNames(t *testing.T) {
	before := Implementation()
	err := Select("mmx")
	if !errors.Is(err, ErrImplementation) || !strings.Contains(err.Error(), `"mmx"`) || !strings.Contains(err.Error(), "portable") {
		t.Errorf("error %q does not say what is wrong and what is available", err)
	}
	if Implementation() != before {
		t.Errorf("a refused choice changed the implementation to %s", Implementation())
	}
}

func TestEnvironmentForcesImplementation(t *testing.T) {
	useImplementation(t, Implementation())
	t.Setenv(EnvImplementation, "portable")
	if err := Select(""); err != nil {
		t.Fatal(err)
	}
	if got := Implementation(); got != "portable" {
		t.Errorf("got %s", got)
	}
	t.Setenv(EnvImplementation, "neon2")
	if err := Select(""); !errors.Is(err, ErrImplementation) || !strings.Contains(err.Error(), EnvImplementation) {
		t.Errorf("error %v does not name the variable", err)
	}
}

func TestBadEnvironmentStopsNewConv(t *testing.T) {
	before := errEnvironment
	t.Cleanup(func() { errEnvironment = before })
	errEnvironment = ErrImplementation
	if _, err := NewConv(Shape{H: 9, W: 9}, 16, 16); !errors.Is(err, ErrImplementation) {
		t.Errorf("error %v", err)
	}
}

func TestPortableIsAlwaysAvailable(t *testing.T) {
	if !slices.Contains(Implementations(), "portable") {
		t.Error(Implementations())
	}
}

func TestPeakIsMeasured(t *testing.T) {
	eachImplementation(t, func(t *testing.T) {
		if got := PeakGFLOPS(); !(got > 0) {
			t.Errorf("peak %v GFLOP/s", got)
		}
	})
}
