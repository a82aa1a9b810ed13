package train

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rampart/data"
	"rampart/internal/durable"
)

// RetentionConfig says which old files of a run may go. Everything is kept unless it is asked for; what training may still draw from is never
// removed.
type RetentionConfig struct {
	Generations int `toml:"generations" comment:"shards of that many newest generations are kept, older ones go once they are outside the training window. 0 keeps all"`
	MiB         int `toml:"mib" comment:"the oldest shards outside the training window go while all of them take more than this. 0 keeps all"`
	Models      int `toml:"models" comment:"models of that many newest generations are kept, and the champion's; the ladder meets only earlier champions that are kept. 0 keeps all"`
}

// Validate returns an error that names the setting that is out of range.
func (c RetentionConfig) Validate() error {
	if c.Generations < 0 || c.MiB < 0 || c.Models < 0 {
		return errors.New("retention.generations, mib and models must be 0 or more")
	}
	return nil
}

// Dropped says which shards retention has let go, always the oldest: training counts their rows as before. Their files are removed one
// generation later, so that the state in champion.previous.json stays as good as the newest.
type Dropped struct {
	Through int `json:"through"` // number of the last one
	Games   int `json:"games"`
	Rows    int `json:"rows"`
}

func (d Dropped) valid() bool { return d.Through >= 0 && d.Games >= 0 && d.Rows >= 0 }

// keptShard is a shard that may be dropped.
type keptShard struct {
	number, games, rows int
	size                int64
}

// drop returns what is dropped after the generation: of the shards that are there, the oldest that the settings do not ask for and
// the training window does not reach.
func (r *Run) drop(generation int, before Dropped) (Dropped, error) {
	c := r.Config.Retention
	if c.Generations == 0 && c.MiB == 0 {
		return before, nil
	}
	shards, err := r.keptShards(generation, before)
	if err != nil {
		return before, err
	}
	total, size := before.Rows, int64(0)
	for _, s := range shards {
		total += s.rows
		size += s.size
	}
	outside := total - r.Config.Window.Size(total) // rows that the window has left behind
	after, rows := before, before.Rows
	for _, s := range shards {
		if rows += s.rows; rows > outside {
			break
		}
		old := c.Generations > 0 && s.number <= generation-c.Generations
		large := c.MiB > 0 && size > int64(c.MiB)<<20
		if !old && !large {
			break
		}
		size -= s.size
		after = Dropped{s.number, after.Games + s.games, rows}
	}
	return after, nil
}

// keptShards lists the sealed shards up to the generation, oldest first, without those that are damaged: training leaves them out too.
func (r *Run) keptShards(generation int, dropped Dropped) ([]keptShard, error) {
	list, err := data.Shards(r.Folder.gamesDir())
	if err != nil {
		return nil, err
	}
	var kept []keptShard
	for _, s := range list {
		if s.Open || s.Number <= dropped.Through || s.Number > generation {
			continue
		}
		k := keptShard{number: s.Number}
		if err := k.read(s.Path); data.IsFault(err) {
			continue
		} else if err != nil {
			return nil, err
		}
		kept = append(kept, k)
	}
	return kept, nil
}

// read takes the numbers from the shard's index.
func (k *keptShard) read(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	reader, err := data.Open(path)
	if err != nil {
		return err
	}
	k.size, k.games = info.Size(), reader.Len()
	for _, e := range reader.Entries() {
		k.rows += e.Rows
	}
	return reader.Close()
}

// removeDropped removes the files that neither the state nor the one before it needs.
func (r *Run) removeDropped(before Champion) error {
	shards, err := data.Shards(r.Folder.gamesDir())
	if err != nil {
		return err
	}
	var gone []string
	for _, s := range shards {
		if !s.Open && s.Number <= before.Dropped.Through {
			gone = append(gone, s.Path)
		}
	}
	if keep := r.Config.Retention.Models; keep > 0 {
		models, err := r.Folder.modelNumbers()
		if err != nil {
			return err
		}
		for _, g := range models {
			if g <= r.champion.Gated-keep && g != r.champion.Generation && g != before.Generation {
				gone = append(gone, r.Folder.modelPath(g))
			}
		}
	}
	for _, path := range gone {
		if err := durable.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("retention: %w", err)
		}
	}
	return nil
}

// modelNumbers lists the generations whose models are there, oldest first.
func (f Folder) modelNumbers() ([]int, error) {
	names, err := filepath.Glob(filepath.Join(f.modelsDir(), "*.onnx"))
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, name := range names {
		if base := filepath.Base(name); modelName.MatchString(base) {
			if n, err := strconv.Atoi(strings.TrimSuffix(base, ".onnx")); err == nil {
				numbers = append(numbers, n)
			}
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}
