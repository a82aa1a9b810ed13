package train

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"regexp"
	"sync"

	"rampart/internal/durable"
)

// journal appends JSON lines to a file. Each line ends with a checksum of itself, as in
//
//	{"event":"train","generation":3,"crc32c":"5d0a4f21"}
//
// which is the CRC-32C of the bytes before its comma. Lines of earlier versions have none. Several goroutines may append.
type journal struct {
	mu   sync.Mutex
	file *durable.File
}

// Limits of what is read, in bytes. A pair of games takes about one KiB.
const (
	maxLine    = 1 << 24
	maxJournal = 4 << 30
)

// lineMark matches the end of a line that has, or had before it was damaged, a checksum.
var lineMark = regexp.MustCompile(`,"([^"]{6})":"([^"]{8})"\}$`)

// markLine adds the checksum to a JSON object.
func markLine(object []byte) []byte {
	body := object[:len(object)-1]
	return fmt.Appendf(bytes.Clone(body), `,"crc32c":"%08x"}`, crc32.Checksum(body, castagnoli))
}

// lineHead is what the lines of all journals have in common.
type lineHead struct {
	Event, Kind string
	Generation  int
}

// checkLine reads a line without its line feed; ok is false if it is damaged.
func checkLine(line []byte) (head lineHead, ok bool) {
	if m := lineMark.FindSubmatch(line); m != nil {
		body := line[:len(line)-len(m[0])]
		if string(m[1]) != "crc32c" || string(m[2]) != fmt.Sprintf("%08x", crc32.Checksum(body, castagnoli)) {
			return head, false
		}
	}
	return head, len(line) > 0 && line[0] == '{' && json.Unmarshal(line, &head) == nil
}

// openJournal opens the file, or makes it. Lines whose kind and generation should be dropped are taken out; drop may be nil. Lines that are damaged, as
// the last one is after a kill, are moved to a file beside it and told to warn.
func openJournal(path string, drop func(kind string, generation int) bool, warn func(error)) (*journal, error) {
	found, err := sortLines(path, drop, nil, nil)
	if errors.Is(err, ErrDamaged) { // it is not read at all
		aside, e := setAside(path)
		if e != nil {
			return nil, errors.Join(err, e)
		}
		warn(fmt.Errorf("%w; set aside as %s", err, aside))
		found, err = linesFound{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if found.bad > 0 || found.dropped > 0 {
		if err := found.mend(path, drop); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if found.bad > 0 {
		warn(fmt.Errorf("%w: %s: %d line(s) cut off or altered, the first is line %d; moved to %s", ErrDamaged, path, found.bad, found.first, path+asideSuffix))
	}
	file, err := durable.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return nil, err
	}
	return &journal{file: file}, nil
}

// linesFound counts the lines of a journal.
type linesFound struct {
	kept, dropped, bad int
	first              int   // number of the first bad line, from 1
	prefix             int64 // bytes of the kept lines at the beginning, if no other line is kept; else -1
}

// sortLines reads a journal and writes the lines to keep and those that are damaged to the writers, which may be nil.
func sortLines(path string, drop func(string, int) bool, keep, aside io.Writer) (n linesFound, err error) {
	file, err := openFile(path, maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	if err != nil {
		return n, err
	}
	defer file.Close()
	write := func(w io.Writer, line []byte) {
		if w != nil && err == nil {
			_, err = w.Write(line)
		}
	}
	lines := bufio.NewReaderSize(file, 1<<16)
	for err == nil {
		line, readErr := readLine(lines)
		if len(line) == 0 || readErr != nil {
			return n, readErr
		}
		head, ok := checkLine(bytes.TrimSuffix(line, []byte("\n")))
		switch {
		case !ok || line[len(line)-1] != '\n':
			if n.bad++; n.bad == 1 {
				n.first = n.kept + n.dropped + 1
			}
			write(aside, line)
		case drop != nil && drop(head.Event+head.Kind, head.Generation):
			n.dropped++
		default:
			n.kept++
			if n.prefix >= 0 && n.bad+n.dropped == 0 {
				n.prefix += int64(len(line))
			} else {
				n.prefix = -1
			}
			write(keep, line)
		}
	}
	return n, err
}

// readLine returns the next line with its line feed, or a part of one that is longer than any journal's; nothing at the end.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == io.EOF || err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(line) > maxLine:
			return line, nil
		}
	}
}

// mend rewrites the journal without the lines that do not belong in it.
func (n linesFound) mend(path string, drop func(string, int) bool) error {
	if n.bad > 0 { // first, so that a kill in between loses nothing
		aside, err := durable.OpenFile(path+asideSuffix, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
		if err != nil {
			return err
		}
		_, err = sortLines(path, drop, nil, aside)
		if err == nil {
			_, err = aside.Write([]byte("\n")) // a line that was cut off has no end
		}
		if err := errors.Join(err, aside.Sync(), aside.Close()); err != nil {
			return err
		}
	}
	if n.prefix >= 0 {
		file, err := durable.OpenFile(path, os.O_RDWR)
		if err != nil {
			return err
		}
		return errors.Join(file.Truncate(n.prefix), file.Sync(), file.Close())
	}
	return durable.Write(path, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		_, err := sortLines(path, drop, out, nil)
		return errors.Join(err, out.Flush())
	})
}

// append writes the values, one line each, and syncs.
func (j *journal) append(values ...any) error {
	var lines bytes.Buffer
	for _, v := range values {
		line, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("%s: %w", j.file.Name(), err)
		}
		lines.Write(markLine(line))
		lines.WriteByte('\n')
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, err := j.file.Write(lines.Bytes()); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *journal) close() error { return j.file.Close() }
