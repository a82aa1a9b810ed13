package train

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/gofrs/flock"

	"rampart/data"
	"rampart/internal/usage"
)

// Status is what can be told of a run folder without working in it.
type Status struct {
	Config     Config
	Champion   Champion
	Stage      Stage // to be done next
	Generation int
	Busy       bool     // another process works in the folder
	Unclear    error    // why Busy is not known
	Shards     int      // sealed
	Games      int      // in sealed shards
	OpenGames  string   // file of games that is being written, or was when the run was cut off; "" for none
	Bytes      int64    // of all files
	Free       int64    // bytes that may still be written to the disk, -1 if that is not known
	Use        *LastUse // nil if none was noted
	Measured   Measured

	Trouble error    // what is wrong with champion.json; the next start goes on from the state before it
	Faulty  []string // sealed shards that cannot be opened; "rampart data verify" says more
}

// ReadStatus looks at a run folder. It takes no lock for longer than a moment and changes nothing.
func (f Folder) ReadStatus() (Status, error) {
	var s Status
	var err error
	if s.Config, err = f.ReadConfig(); err != nil {
		return s, err
	}
	if s.Champion, s.Trouble, err = f.champion(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	s.Busy, s.Unclear = f.isBusy()
	if s.Stage, s.Generation, err = (&Run{Folder: f, Config: s.Config, champion: s.Champion}).Next(); err != nil {
		return s, err
	}
	if s.Measured, err = f.measured(); err != nil {
		return s, err
	}
	if err := s.count(f); err != nil {
		return s, err
	}
	return s, nil
}

// isBusy tells whether another process works in the folder, which may be one that can only be read. A process that does has made the lock.
func (f Folder) isBusy() (bool, error) {
	if there, err := f.hasLock(); err != nil || !there {
		return false, err
	}
	lock := flock.New(f.lockPath(), flock.SetFlag(os.O_RDONLY))
	held, err := lock.TryLock()
	if err != nil {
		return false, err
	}
	return !held, lock.Unlock()
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
	s.Bytes, _ = usage.Size(string(f))
	s.Free = usage.Free(string(f))
	s.Use, err = f.lastUse()
	return err
}

// String returns the status as a few lines to read.
func (s Status) String() string {
	var t strings.Builder
	state := "nobody works on it"
	switch {
	case s.Busy:
		state = "a process works on it"
	case s.Unclear != nil:
		state = fmt.Sprintf("whether a process works on it cannot be told (%v)", s.Unclear)
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
	if n := s.Champion.Dropped.Games; n > 0 {
		fmt.Fprintf(&t, ", %d more that retention has let go", n)
	}
	fmt.Fprintln(&t)
	if s.Trouble != nil {
		fmt.Fprintf(&t, "damaged: %v (the next start goes on from the state before)\n", s.Trouble)
	}
	for _, path := range s.Faulty {
		fmt.Fprintf(&t, "damaged: %s (see rampart data verify)\n", path)
	}
	fmt.Fprintf(&t, "files: %.1f MiB", float64(s.Bytes)/(1<<20))
	if s.Free >= 0 {
		fmt.Fprintf(&t, ", %.1f GiB free", float64(s.Free)/(1<<30))
	}
	fmt.Fprintln(&t)
	if s.Use != nil {
		fmt.Fprintf(&t, "last use: %v\n", s.Use)
	}
	t.WriteString(s.Measured.String())
	if s.Champion.Final != nil {
		fmt.Fprintln(&t, s.Champion.Final)
	}
	return t.String()
}
