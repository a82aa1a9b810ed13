package train

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rampart/data"
)

// Status is what can be told of a run folder without working in it.
type Status struct {
	Config     Config
	Champion   Champion
	Stage      Stage // to be done next
	Generation int
	Busy       bool   // another process works in the folder
	Shards     int    // sealed
	Games      int    // in sealed shards
	OpenGames  string // file of games that is being written, or was when the run was cut off; "" for none
	Bytes      int64  // of all files

	Faulty []string // sealed shards that cannot be opened; "rampart data verify" says more
}

// ReadStatus looks at a run folder. It takes no lock for longer than a moment and changes nothing.
func (f Folder) ReadStatus() (Status, error) {
	var s Status
	var err error
	if s.Config, err = f.ReadConfig(); err != nil {
		return s, err
	}
	if s.Champion, err = f.readChampion(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	lock, err := f.take()
	s.Busy = errors.Is(err, ErrLocked)
	if err == nil {
		err = lock.Unlock()
	}
	if err != nil && !s.Busy {
		return s, err
	}
	if s.Stage, s.Generation, err = (&Run{Folder: f, Config: s.Config, champion: s.Champion}).Next(); err != nil {
		return s, err
	}
	if err := s.count(f); err != nil {
		return s, err
	}
	return s, nil
}

// count adds up the shards and the files.
func (s *Status) count(f Folder) error {
	shards, err := data.Shards(f.gamesDir())
	if err != nil {
		return err
	}
	for _, shard := range shards {
		if shard.Open {
			s.OpenGames = shard.Path
			continue
		}
		r, err := data.Open(shard.Path)
		if data.IsFault(err) {
			s.Faulty = append(s.Faulty, shard.Path)
			continue
		}
		if err != nil {
			return err
		}
		s.Shards++
		s.Games += r.Len()
		if err := r.Close(); err != nil {
			return err
		}
	}
	return filepath.WalkDir(string(f), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, os.ErrNotExist) { // replaced in this moment
			return nil
		}
		if err == nil {
			s.Bytes += info.Size()
		}
		return err
	})
}

// String returns the status as a few lines to read.
func (s Status) String() string {
	var t strings.Builder
	state := "nobody works on it"
	if s.Busy {
		state = "a process works on it"
	}
	walls := "walls"
	if s.Config.Walls == 1 {
		walls = "wall"
	}
	fmt.Fprintf(&t, "board %s with %d %s, network %s; %s\n", s.Config.Board, s.Config.Walls, walls, s.Config.Net, state)
	if s.Stage == StageDone {
		fmt.Fprintf(&t, "done: %d generations\n", s.Champion.Gated)
	} else {
		fmt.Fprintf(&t, "next: %s of generation %d of %d\n", s.Stage, s.Generation, s.Config.Generations)
	}
	fmt.Fprintf(&t, "champion: generation %d (%s)\n", s.Champion.Generation, s.Champion.Won)
	fmt.Fprintf(&t, "games: %d in %d shards", s.Games, s.Shards)
	if s.OpenGames != "" {
		fmt.Fprintf(&t, ", more in %s", s.OpenGames)
	}
	fmt.Fprintln(&t)
	for _, path := range s.Faulty {
		fmt.Fprintf(&t, "damaged: %s (see rampart data verify)\n", path)
	}
	fmt.Fprintf(&t, "files: %.1f MiB\n", float64(s.Bytes)/(1<<20))
	if s.Champion.Final != nil {
		fmt.Fprintln(&t, s.Champion.Final)
	}
	return t.String()
}
