package lines

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// collect reads all lines; those that are too long become "!".
func collect(t testing.TB, in io.Reader, most int) []string {
	t.Helper()
	r := NewReader(in, most)
	var got []string
	for {
		line, err := r.Next()
		switch {
		case err == io.EOF:
			return got
		case errors.Is(err, ErrTooLong):
			line = "!"
		case err != nil:
			t.Fatal(err)
		}
		got = append(got, line)
	}
}

func TestLines(t *testing.T) {
	long := strings.Repeat("x", 10000)
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"a", []string{"a"}},
		{"a\nbc\n", []string{"a", "bc"}},
		{"a\r\n\n\r\nb\r", []string{"a", "", "", "b"}},
		{"12345\n123456\n12345", []string{"12345", "!", "12345"}},
		{"12345\r\n12345\r", []string{"12345", "12345"}},
		{long + "\nafter\n" + long, []string{"!", "after", "!"}},
	} {
		if got := collect(t, strings.NewReader(c.in), 5); !slices.Equal(got, c.want) {
			t.Errorf("%.20q: %q, want %q", c.in, got, c.want)
		}
		if got := collect(t, iotest.OneByteReader(strings.NewReader(c.in)), 5); !slices.Equal(got, c.want) {
			t.Errorf("%.20q byte by byte: %q, want %q", c.in, got, c.want)
		}
	}
	if got := collect(t, strings.NewReader(long+"\n"), 10000); len(got) != 1 || got[0] != long {
		t.Error("a line of exactly the bound, longer than the buffer, is not read")
	}
}

// TestChannel: a failure of the input is the last thing that is sent.
func TestChannel(t *testing.T) {
	failure := errors.New("cable cut")
	in := io.MultiReader(strings.NewReader("a\ntoo long\nb\n"), iotest.ErrReader(failure))
	var got []string
	for line := range Channel(context.Background(), in, 5) {
		switch {
		case errors.Is(line.Err, ErrTooLong):
			line.Text = "!"
		case errors.Is(line.Err, failure):
			line.Text = "failed"
		case line.Err != nil:
			t.Error(line.Err)
		}
		got = append(got, line.Text)
	}
	if want := []string{"a", "!", "b", "failed"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
