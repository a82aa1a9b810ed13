package train

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rampart/data"
	"rampart/nn"
	"rampart/quoridor"
)

// begin opens a run, which must work.
func begin(t *testing.T, dir string, c *Config) *Run {
	t.Helper()
	r, err := Open(Folder(dir), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// complete goes through all stages and closes the run.
func complete(t *testing.T, r *Run) {
	t.Helper()
	if err := errors.Join(r.Loop(context.Background()), r.Close()); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sameOpinion checks that two models give nearly the same values on their board.
func sameOpinion(t *testing.T, a, b *nn.Model) {
	t.Helper()
	p := a.Board.Start()
	for range 8 {
		moves := a.Board.Moves(nil, &p)
		var wdl [2][3]float32
		for i, m := range []*nn.Model{a, b} {
			e, err := nn.NewEvaluator("native", m)
			if err != nil {
				t.Fatal(err)
			}
			one := make([][3]float32, 1)
			if err := e.Evaluate([]quoridor.Position{p}, [][]quoridor.Move{moves}, [][]float32{make([]float32, len(moves))}, one); err != nil {
				t.Fatal(err)
			}
			wdl[i] = one[0]
		}
		for k := range wdl[0] {
			if math.Abs(float64(wdl[0][k]-wdl[1][k])) > 1e-4 {
				t.Fatalf("%s: %v and %v", a.Board.Format(p), wdl[0], wdl[1])
			}
		}
		p = a.Board.Play(p, moves[len(moves)/2])
	}
}

// TestPublishNamesNoFolders: the settings that are published say what the run began from, but not where that lay.
func TestPublishNamesNoFolders(t *testing.T) {
	source, dir := filepath.Join(t.TempDir(), "source"), t.TempDir()
	c := tinyConfig()
	c.Generations, c.Games = 1, 20
	complete(t, begin(t, source, &c))
	c.Generations, c.Origin.Net, c.Origin.Games = 2, source, source
	complete(t, begin(t, dir, &c))
	p, err := Folder(dir).Publish()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(p.Settings); strings.Contains(text, filepath.Dir(source)) || strings.Count(text, "= 'source'") != 2 {
		t.Errorf("%s", text)
	}
}

// TestInitFrom: a run begins with what a network of another board has learned, is the same when it is cut off at its beginning, and needs the
// source no longer once it has begun.
func TestInitFrom(t *testing.T) {
	source := t.TempDir()
	loop(t, source, 2)
	c := tinyConfig()
	c.Board, c.Walls, c.Generations, c.Games, c.Origin.Net = "4x4", 2, 1, 20, source
	unbroken := t.TempDir()
	complete(t, begin(t, unbroken, &c))

	path, err := Folder(source).ChampionModel()
	if err != nil {
		t.Fatal(err)
	}
	parent, err := nn.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	first, err := nn.Load(Folder(unbroken).modelPath(0))
	if err != nil {
		t.Fatal(err)
	}
	if first.Parent != parent.ID() || first.Board.String() != "4x4 with 2 walls" {
		t.Errorf("the first network is for %s, parent %s, want %s", first.Board, first.Parent, parent.ID())
	}
	onBoard, err := parent.WithBoard(first.Board)
	if err != nil {
		t.Fatal(err)
	}
	sameOpinion(t, onBoard, first)
	if text := string(content(t, Folder(unbroken).configPath())); !strings.Contains(text, parent.ID()) {
		t.Errorf("run.toml does not name %s:\n%s", parent.ID(), text)
	}

	again := begin(t, unbroken, &c) // with the settings as they were given
	if stage, _, err := again.Next(); stage != StageDone || err != nil {
		t.Errorf("next is %s, %v", stage, err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}

	// Cut off after its first file, and gone on with from there.
	broken := t.TempDir()
	resolved, err := c.resolveOrigin()
	if err != nil {
		t.Fatal(err)
	}
	if err := Folder(broken).writeConfig(resolved); err != nil {
		t.Fatal(err)
	}
	r := begin(t, broken, nil)
	if err := os.RemoveAll(source); err != nil { // it has begun: the source may go
		t.Fatal(err)
	}
	if err := r.Do(context.Background(), StageSelfPlay); err != nil {
		t.Fatal(err)
	}
	if _, err := r.loadLearner(1); err != nil {
		t.Fatal(err)
	}
	trained, err := nn.NewModel(nn.Meta{Board: r.Board}, r.learner.trainer.Weights())
	if err != nil {
		t.Fatal(err)
	}
	sameOpinion(t, first, trained) // training begins there too
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	complete(t, begin(t, broken, nil))
	compare(t, fingerprint(t, broken), fingerprint(t, unbroken))
}

// TestGamesFrom: a network of another size begins with the games of another run, draws from the newest of them as often as from its own, and
// goes on with games of its own; cut off at any moment, it is the same.
func TestGamesFrom(t *testing.T) {
	source := t.TempDir()
	loop(t, source, 2)
	c := tinyConfig()
	c.Net.Channels, c.Generations, c.Games, c.Origin.Games = 32, 4, 30, source
	c.Window.BaseRows = 500 // so that the window does not reach all games
	unbroken := t.TempDir()
	r := begin(t, unbroken, &c)
	o := r.Config.Origin
	if o.Shards != 3 || o.NumGames != 3*140 || o.Skipped <= 0 {
		t.Fatalf("origin %+v", o)
	}
	for n := 1; n <= 3; n++ {
		if !bytes.Equal(content(t, data.ShardPath(Folder(source).gamesDir(), n)), content(t, data.ShardPath(Folder(unbroken).gamesDir(), n))) {
			t.Errorf("shard %d is not the source's", n)
		}
	}
	if stage, generation, err := r.Next(); stage != StageTrain || generation != 3 || err != nil {
		t.Fatalf("next is %s of generation %d, %v", stage, generation, err)
	}
	if err := r.Do(context.Background(), StageTrain); err != nil {
		t.Fatal(err)
	}
	window := c.Window.Size(r.learner.window.TotalRows())
	if want := int(c.Trainer.SamplesPerRow * float64(window) / float64(c.Trainer.Batch)); r.learner.trainer.Steps() != want {
		t.Errorf("%d steps for a window of %d rows, want %d", r.learner.trainer.Steps(), window, want)
	}
	complete(t, r)
	if m, err := nn.Load(Folder(unbroken).modelPath(4)); err != nil || m.Games != 3*140+30 {
		t.Errorf("model %+v, %v", m, err)
	}

	broken := t.TempDir()
	resolved, err := c.resolveOrigin()
	if err != nil {
		t.Fatal(err)
	}
	if err := Folder(broken).writeConfig(resolved); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(Folder(broken).gamesDir(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := copyFile(data.ShardPath(Folder(broken).gamesDir(), 1), data.ShardPath(Folder(source).gamesDir(), 1)); err != nil { // cut off in the middle
		t.Fatal(err)
	}
	if err := os.WriteFile(data.ShardPath(Folder(broken).gamesDir(), 2)+data.OpenSuffix, []byte("half a shard"), 0o644); err != nil {
		t.Fatal(err)
	}
	r = begin(t, broken, nil)
	for range 4 {
		if stage, _, err := r.Next(); err != nil || r.Do(context.Background(), stage) != nil {
			t.Fatal(stage, err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		r = begin(t, broken, nil)
	}
	complete(t, r)
	compare(t, fingerprint(t, broken), fingerprint(t, unbroken))
}

// TestOriginRefused: what does not fit is refused with a reason and before anything is written.
func TestOriginRefused(t *testing.T) {
	source := t.TempDir()
	c := tinyConfig()
	c.Generations, c.Games = 1, 4
	r := begin(t, source, &c)
	if err := errors.Join(r.Do(context.Background(), StageSelfPlay), r.Close()); err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		change func(c *Config)
		want   string
	}{
		"a smaller network":  {func(c *Config) { c.Net.Blocks, c.Origin.Net = 0, source }, "not larger than its own"},
		"other planes":       {func(c *Config) { c.Net.DetourPlanes, c.Net.NoDistance, c.Origin.Net = false, true, source }, "sees the same planes (--net 16x1x16)"},
		"older planes":       {func(c *Config) { c.Net.DetourPlanes, c.Origin.Net = false, source }, "network is 16x1x16-detours"},
		"no such file":       {func(c *Config) { c.Origin.Net = source + "/nothing.onnx" }, "nothing.onnx"},
		"no such network":    {func(c *Config) { c.Origin.Net = "4x4-7" }, "4x4-7"},
		"another network":    {func(c *Config) { c.Origin.Net, c.Origin.Model = source, "0123456789abcdef" }, "was to begin from 0123456789abcdef"},
		"no run":             {func(c *Config) { c.Origin.Games = source + "/games" }, "not a run folder"},
		"another board":      {func(c *Config) { c.Board, c.Origin.Games = "4x4", source }, "3x4"},
		"other walls":        {func(c *Config) { c.Walls, c.Origin.Games = 2, source }, "3x4"},
		"fewer generations":  {func(c *Config) { c.Generations, c.Origin = 1, OriginConfig{Games: source, Shards: 2} }, "games of 2 generations"},
		"shards from nobody": {func(c *Config) { c.Origin.Shards = 2 }, "without origin.games"},
		"fewer shards":       {func(c *Config) { c.Origin = OriginConfig{Games: source, Shards: 1, NumGames: 5} }, "was to begin with 5"},
	} {
		c := tinyConfig()
		x.change(&c)
		dir := t.TempDir() + "/run"
		if _, err := Open(Folder(dir), &c); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), x.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one that says %q", name, err, x.want)
		}
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: a folder was made", name)
		}
	}
	c = tinyConfig()
	c.Generations, c.Games, c.Origin.Net = 1, 4, "5x5-2"
	if _, err := Open(Folder(source), &c); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "cannot be changed") {
		t.Errorf("a run that has begun: %v", err)
	}
}
