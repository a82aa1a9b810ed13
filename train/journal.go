package train

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// journal appends JSON lines to a file. A line that was torn by a crash is cut off when the file is opened.
type journal struct{ file *os.File }

// openJournal opens the file. Lines at its end whose kind and generation should be dropped are cut off; drop may be nil.
func openJournal(path string, drop func(kind string, generation int) bool) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	end, err := endOfLastLine(file)
	if err == nil && drop != nil {
		end, err = dropLines(file, end, drop)
	}
	if err == nil {
		err = file.Truncate(end)
	}
	if err == nil {
		_, err = file.Seek(end, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &journal{file}, nil
}

// endOfLastLine returns the offset after the last line feed.
func endOfLastLine(file interface {
	io.Seeker
	io.ReaderAt
},
) (int64, error) {
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	block := make([]byte, 1<<16)
	for end > 0 {
		n := min(end, int64(len(block)))
		if _, err := file.ReadAt(block[:n], end-n); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return 0, nil
}

// dropLines returns the offset after the last line that is to be kept, looking back from end.
func dropLines(file *os.File, end int64, drop func(kind string, generation int) bool) (int64, error) {
	for end > 0 {
		begin, err := endOfLastLine(io.NewSectionReader(file, 0, end-1))
		if err != nil {
			return 0, err
		}
		line := make([]byte, end-begin)
		if _, err := file.ReadAt(line, begin); err != nil {
			return 0, err
		}
		var l struct {
			Event, Kind string
			Generation  int
		}
		if json.Unmarshal(line, &l) != nil || !drop(l.Event+l.Kind, l.Generation) {
			return end, nil
		}
		end = begin
	}
	return 0, nil
}

// append writes the values, one line each, and syncs.
func (j *journal) append(values ...any) error {
	var lines bytes.Buffer
	for _, v := range values {
		if err := json.NewEncoder(&lines).Encode(v); err != nil {
			return fmt.Errorf("%s: %w", j.file.Name(), err)
		}
	}
	if _, err := j.file.Write(lines.Bytes()); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *journal) close() error { return j.file.Close() }
