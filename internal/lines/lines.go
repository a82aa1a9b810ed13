// Package lines reads text line by line from a program or a person that may send anything: no line takes more memory than its bound, and a line that is
// too long costs that line only.
package lines

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
)

// ErrTooLong is returned for a line longer than the bound.
var ErrTooLong = errors.New("the line is too long")

// Reader reads lines.
type Reader struct {
	in   *bufio.Reader
	most int
}

// NewReader returns a reader of lines of at most so many bytes.
func NewReader(in io.Reader, most int) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, 4096), most: most}
}

// Next returns the next line without its end, which is LF or CR LF; the last line may lack it. After the last line the error is [io.EOF]. An error
// that wraps [ErrTooLong] is about one line, which is skipped; the next call goes on after it.
func (r *Reader) Next() (string, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.in.ReadSlice('\n')
		end := err == nil
		if end {
			part = part[:len(part)-1]
		}
		if tooLong = tooLong || len(line)+len(part) > r.most+1; !tooLong { // one more for a CR
			line = append(line, part...)
		}
		switch {
		case end, err == io.EOF && (len(line) > 0 || tooLong):
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		default:
			return "", err
		}
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		if tooLong || len(line) > r.most {
			return "", fmt.Errorf("%w: at most %d bytes", ErrTooLong, r.most)
		}
		return string(line), nil
	}
}

// Line is what a [Channel] carries: a line, or an error about one.
type Line struct {
	Text string
	Err  error // wraps [ErrTooLong], or is the failure that ended the input
}

// Channel sends the lines of the input until it ends or ctx does, and closes. Its goroutine may stay blocked in a read that never returns; it then goes
// with the process.
func Channel(ctx context.Context, in io.Reader, most int) <-chan Line {
	lines := make(chan Line)
	go func() {
		defer close(lines)
		r := NewReader(in, most)
		for {
			text, err := r.Next()
			if err == io.EOF {
				return
			}
			select {
			case lines <- Line{text, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && !errors.Is(err, ErrTooLong) {
				return
			}
		}
	}()
	return lines
}
