package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"

	"rampart/internal/durable"
)

// Champion is the content of champion.json: which model plays, and how far the run has come.
type Champion struct {
	Run        string     `json:"run"`              // settings that a run cannot change
	Generation int        `json:"generation"`       // of the champion's model, 0 for the random one
	Model      string     `json:"model"`            // its name in records
	Won        string     `json:"won"`              // the gate match that made it champion
	Gated      int        `json:"gated"`            // generations that have passed all stages
	Final      *Yardstick `json:"final,omitempty"`  // match at the end of the run
	Dropped    Dropped    `json:"dropped,omitzero"` // shards that retention let go
}

// championFile is the champion with the file's checksum: CRC-32C of all bytes of the file with zeros in place of the checksum's digits.
type championFile struct {
	Champion
	Checksum string `json:"checksum"`
}

const (
	checksumMark = "crc32c:"
	noChecksum   = checksumMark + "00000000"
	maxChampion  = 1 << 20 // bytes
)

// marshal returns the text of champion.json.
func (c Champion) marshal() ([]byte, error) {
	text, err := json.MarshalIndent(championFile{c, noChecksum}, "", "  ")
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	sum := fmt.Appendf(nil, checksumMark+"%08x", crc32.Checksum(text, castagnoli))
	at := bytes.LastIndex(text, []byte(noChecksum))
	copy(text[at:], sum)
	return text, nil
}

// parseChampion reads the text of champion.json. Its errors wrap [ErrDamaged]. Files of earlier versions have no checksum.
func parseChampion(text []byte) (Champion, error) {
	damaged := func(format string, args ...any) (Champion, error) {
		return Champion{}, fmt.Errorf("%w: "+format, append([]any{ErrDamaged}, args...)...)
	}
	if len(text) > maxChampion {
		return damaged("%d bytes are no champion file", len(text))
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var f championFile
	if err := decoder.Decode(&f); err != nil {
		return damaged("not a champion file: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return damaged("not a champion file: text after its end")
	}
	if f.Checksum != "" {
		at := bytes.LastIndex(text, []byte(f.Checksum))
		if len(f.Checksum) != len(noChecksum) || at < 0 {
			return damaged("bad checksum %q", f.Checksum)
		}
		blank := bytes.Clone(text)
		copy(blank[at:], noChecksum)
		if sum := fmt.Sprintf(checksumMark+"%08x", crc32.Checksum(blank, castagnoli)); sum != f.Checksum {
			return damaged("the checksum does not match: truncated or altered")
		}
	}
	c := f.Champion
	if c.Run == "" || c.Generation < 0 || c.Gated < c.Generation || !c.Dropped.valid() {
		return damaged("not a champion file: run %q, generation %d, gated %d, dropped %+v", c.Run, c.Generation, c.Gated, c.Dropped)
	}
	return c, nil
}

// readChampion reads champion.json or its predecessor. The error wraps fs.ErrNotExist if there is none.
func readChampion(path string) (Champion, error) {
	text, err := readFile(path, maxChampion)
	if err != nil {
		return Champion{}, err
	}
	c, err := parseChampion(text)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return c, err
}

// champion returns the state in champion.json, or if that is damaged or gone the state before it, with which the last gate is played again
// and has the same outcome; trouble then says what is wrong. The error wraps fs.ErrNotExist if there is neither.
func (f Folder) champion() (c Champion, trouble, err error) {
	c, trouble = readChampion(f.championPath())
	if trouble == nil {
		return c, nil, nil
	}
	if !errors.Is(trouble, fs.ErrNotExist) && !errors.Is(trouble, ErrDamaged) {
		return c, nil, trouble
	}
	c, err = readChampion(f.previousPath())
	switch {
	case err == nil:
		return c, trouble, nil
	case errors.Is(err, fs.ErrNotExist):
		err = trouble
	}
	if !errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; restore it from a backup", err)
	}
	return Champion{}, nil, err
}

// writeChampion replaces champion.json and keeps the state before it.
func (f Folder) writeChampion(c Champion) error {
	text, err := c.marshal()
	if err != nil {
		return err
	}
	before, err := readFile(f.championPath(), maxChampion)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrDamaged) {
		return err
	}
	if _, bad := parseChampion(before); err == nil && bad == nil && !bytes.Equal(before, text) {
		if err := durable.WriteFile(f.previousPath(), before); err != nil {
			return err
		}
	}
	return durable.WriteFile(f.championPath(), text)
}

// ChampionModel returns the path of the champion's model in a run folder, or in the newest stage of a curriculum.
func (f Folder) ChampionModel() (string, error) {
	if f.IsCurriculum() {
		stage, err := f.newestStage()
		if err != nil {
			return "", err
		}
		f = stage
	}
	c, _, err := f.champion()
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %s has no champion.json", ErrNoRun, string(f))
	}
	if err != nil {
		return "", err
	}
	return f.modelPath(c.Generation), nil
}
