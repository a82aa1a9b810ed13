package train

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"rampart/data"
	"rampart/internal/durable"
	"rampart/models"
	"rampart/nn"
	"rampart/quoridor"
)

// OriginConfig says what a run begins with besides the rules. Net and Games are given; the rest is filled in when the run begins and
// never changes. After that the run needs neither of the two sources.
type OriginConfig struct {
	Net   string `toml:"net" comment:"model file, run folder or shipped network that the run began from; empty for random weights"`
	Games string `toml:"games" comment:"run folder whose games the run began with, as its first generations; empty for none"`

	Model    string `toml:"model" comment:"filled in at the start: the name of that network"`
	Shards   int    `toml:"shards" comment:"filled in at the start: how many shards of games there were"`
	NumGames int    `toml:"num_games" comment:"filled in at the start: how many games"`
	Skipped  int    `toml:"skipped_rows" comment:"filled in at the start: rows of these games outside the first training window, which are never drawn"`
}

// validate returns an error that wraps [ErrConfig].
func (o OriginConfig) validate(generations int) error {
	switch {
	case o.Net == "" && o.Model != "":
		return fmt.Errorf("%w: origin.model without origin.net", ErrConfig)
	case o.Games == "" && (o.Shards != 0 || o.NumGames != 0 || o.Skipped != 0):
		return fmt.Errorf("%w: origin.shards, num_games or skipped_rows without origin.games", ErrConfig)
	case o.Shards < 0 || o.NumGames < 0 || o.Skipped < 0:
		return fmt.Errorf("%w: origin.shards, num_games and skipped_rows must be 0 or more", ErrConfig)
	case o.Shards > generations:
		return fmt.Errorf("%w: generations is %d, but the run begins with the games of %d generations; set generations to %d or more",
			ErrConfig, generations, o.Shards, o.Shards)
	}
	return nil
}

// identity is the part of a run's identity that comes from its origin; empty for a run from nothing.
func (o OriginConfig) identity() (text string) {
	if o.Net != "" {
		text += fmt.Sprintf(", from network %s", o.Model)
	}
	if o.Games != "" {
		text += fmt.Sprintf(", from %d games", o.NumGames)
	}
	return text
}

// LoadModel reads a model file, the champion of a run folder, or a network that ships (by its name, as in "5x5-2").
func LoadModel(path string) (*nn.Model, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(path, `./\`) {
		return models.Load(path)
	}
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if info.IsDir() {
		if path, err = Folder(path).ChampionModel(); err != nil {
			return nil, err
		}
	}
	return nn.Load(path)
}

// originModel reads the network that the run begins from, put on the run's board, and checks that it fits.
func (c Config) originModel(b *quoridor.Board) (*nn.Model, error) {
	m, err := LoadModel(c.Origin.Net)
	if err != nil {
		return nil, fmt.Errorf("%w: origin.net %s: %w", ErrConfig, c.Origin.Net, err)
	}
	if !c.Net.CanBeginFrom(m.Config) {
		return nil, fmt.Errorf("%w: the run's network is %s, that of %s is %s: a run can only begin from a network that is not larger than its own and sees the same planes (--net %s)",
			ErrConfig, c.Net.Text(), c.Origin.Net, m.Config.Text(), m.Config.Text())
	}
	if id := m.ID(); c.Origin.Model != "" && c.Origin.Model != id {
		return nil, fmt.Errorf("%w: %s is network %s now, the run was to begin from %s", ErrConfig, c.Origin.Net, id, c.Origin.Model)
	}
	return m, nil
}

// originShards lists the sealed shards that the run begins with, and fills in what is recorded of them.
func (o OriginConfig) originShards(b *quoridor.Board, window data.WindowConfig) ([]string, OriginConfig, error) {
	dir := Folder(o.Games)
	if !exists(dir.configPath()) {
		return nil, o, fmt.Errorf("%w: origin.games: %w: %s", ErrConfig, ErrNoRun, o.Games)
	}
	list, err := data.Shards(dir.gamesDir())
	if err != nil {
		return nil, o, err
	}
	var paths []string
	found, rows := OriginConfig{Net: o.Net, Model: o.Model, Games: o.Games}, 0
	for _, s := range list {
		if s.Open || o.Shards > 0 && len(paths) == o.Shards { // the source may have gone on since
			continue
		}
		r, err := data.Open(s.Path)
		if err != nil {
			return nil, o, fmt.Errorf("%w: origin.games: %w", ErrConfig, err)
		}
		if have := r.Header().Board; have != b {
			return nil, o, errors.Join(fmt.Errorf("%w: origin.games: %s has games on %s, the run is on %s", ErrConfig, s.Path, have, b), r.Close())
		}
		paths, found.NumGames = append(paths, s.Path), found.NumGames+r.Len()
		for _, e := range r.Entries() {
			rows += e.Rows
		}
		if err := r.Close(); err != nil {
			return nil, o, err
		}
	}
	if len(paths) == 0 {
		return nil, o, fmt.Errorf("%w: origin.games: %s has no sealed shard", ErrConfig, o.Games)
	}
	found.Shards, found.Skipped = len(paths), rows-window.Size(rows)
	if o.Shards > 0 && found != o {
		return nil, o, fmt.Errorf("%w: %s has %d games in its first %d shards now, the run was to begin with %d in %d",
			ErrConfig, o.Games, found.NumGames, found.Shards, o.NumGames, o.Shards)
	}
	return paths, found, nil
}

// withOriginOf returns the settings with what was filled in when the run began. The error wraps [ErrConfig] if they name another origin.
func (c Config) withOriginOf(begun Config) (*Config, error) {
	if c.Origin == (OriginConfig{Net: begun.Origin.Net, Games: begun.Origin.Games}) {
		c.Origin = begun.Origin
	}
	if c.Origin != begun.Origin {
		return nil, fmt.Errorf("%w: the run has begun; what it begins with cannot be changed any more", ErrConfig)
	}
	return &c, nil
}

// resolveOrigin returns the settings of a run that is about to begin with what its origin is filled in.
func (c Config) resolveOrigin() (Config, error) {
	b, err := c.NewBoard()
	if err != nil {
		return c, err
	}
	if c.Origin.Net != "" {
		m, err := c.originModel(b)
		if err != nil {
			return c, err
		}
		c.Origin.Model = m.ID()
	}
	if c.Origin.Games != "" {
		if _, c.Origin, err = c.Origin.originShards(b, c.Window); err != nil {
			return c, err
		}
	}
	return c, c.Validate()
}

// begin makes the run's first champion and takes over the games that it begins with. It may be cut off anywhere and come again.
func (r *Run) begin() error {
	if err := r.importGames(); err != nil {
		return err
	}
	first := Champion{Run: r.Config.identity(), Won: "the random network that the run began with", Gated: max(0, r.Config.Origin.Shards-1)}
	var err error
	if r.Config.Origin.Net == "" {
		weights, e := nn.NewWeights(r.Config.Net, r.Config.Seed)
		if e != nil {
			return e
		}
		first.Model, err = r.export(0, weights, 0)
	} else {
		first.Model, err = r.exportOrigin()
		first.Won = fmt.Sprintf("network %s that the run began from", r.Config.Origin.Model)
	}
	if err != nil {
		return err
	}
	r.champion = first
	return errors.Join(r.copyChampion(), r.Folder.writeChampion(first))
}

// exportOrigin writes the network that the run begins from as the model of generation 0 and returns its name there.
func (r *Run) exportOrigin() (string, error) {
	source, err := r.Config.originModel(r.Board)
	if err != nil {
		return "", err
	}
	m, err := source.WithBoard(r.Board)
	if err != nil {
		return "", err
	}
	weights, err := m.Unfold(r.Config.Net, r.Config.Seed)
	if err != nil {
		return "", err
	}
	m, err = nn.NewModel(nn.Meta{Board: r.Board, Parent: source.ID(), ConfigHash: fmt.Sprintf("%x", r.Config.Hash())}, weights)
	if err != nil {
		return "", err
	}
	return m.ID(), durable.WriteFile(r.Folder.modelPath(0), m.Marshal())
}

// firstWeights returns the weights that training begins with: random ones, or those of the network that the run began from. If training has
// begun, any will do: the checkpoint's replace them.
func (f Folder) firstWeights(c Config, begun bool) (*nn.Weights, error) {
	if c.Origin.Net == "" || begun {
		return nn.NewWeights(c.Net, c.Seed)
	}
	m, err := nn.Load(f.modelPath(0))
	if err != nil {
		return nil, fmt.Errorf("the network that the run began from: %w; restore it from a backup", err)
	}
	return m.Unfold(c.Net, c.Seed)
}

// importGames takes over the shards that the run begins with and does not have yet.
func (r *Run) importGames() error {
	if r.Config.Origin.Games == "" {
		return nil
	}
	var missing bool
	for n := range r.Config.Origin.Shards {
		missing = missing || !exists(data.ShardPath(r.Folder.gamesDir(), n+1))
	}
	if !missing {
		return nil
	}
	paths, _, err := r.Config.Origin.originShards(r.Board, r.Config.Window)
	if err != nil {
		return err
	}
	for i, from := range paths {
		to := data.ShardPath(r.Folder.gamesDir(), i+1)
		if exists(to) {
			continue
		}
		if err := copyFile(to+data.OpenSuffix, from); err != nil {
			return fmt.Errorf("origin.games: %w", err)
		}
		if err := durable.Rename(to+data.OpenSuffix, to); err != nil {
			return fmt.Errorf("origin.games: %w", err)
		}
	}
	return nil
}

// copyFile copies a file durably. Shards are copied under the name of an open one first, whose remains the next start removes.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return durable.Write(to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

// isBeginning tells whether what is in the games folder of a run without champion.json can only be from its beginning.
func (r *Run) isBeginning(shards []data.Shard) bool {
	if checkpoints, err := r.Folder.checkpoints(); err != nil || len(checkpoints) > 0 {
		return false
	}
	return len(shards) == 0 || shards[len(shards)-1].Number <= r.Config.Origin.Shards
}
