package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"rampart/internal/durable"
	"rampart/quoridor"
)

// A curriculum is a row of runs on larger and larger boards, each of which begins from the network of the one before it. Its folder holds
// curriculum.toml, with all settings of all stages, and a run folder for each stage, named after its number and board.

// maxStages bounds the length of a curriculum.
const maxStages = 64

// curriculumFile is the content of curriculum.toml.
type curriculumFile struct {
	Stages []Config `toml:"stage"`
}

func (f Folder) curriculumPath() string { return filepath.Join(string(f), "curriculum.toml") }

// stageFolder returns the run folder of a stage, counted from 0.
func (f Folder) stageFolder(i int, c Config) Folder {
	return Folder(filepath.Join(string(f), fmt.Sprintf("%02d-%s-%d", i+1, c.Board, c.Walls)))
}

// ParseCurriculum makes the settings of the stages from a text such as "5x5-2:20,7x7-5:20,9x9-10:*": board, walls and generations of each, or
// * for as many generations as the preset of the board has. Each begins with the preset of its board, but for the network, which all take
// from the last; change is applied to every stage. Errors wrap [ErrConfig].
func ParseCurriculum(text string, change func(*Config) error) ([]Config, error) {
	var stages []Config
	parts := strings.Split(text, ",")
	if len(parts) > maxStages {
		return nil, fmt.Errorf("%w: a curriculum of %d stages, at most %d", ErrConfig, len(parts), maxStages)
	}
	for _, part := range parts {
		c, err := parseCurriculumStage(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("%w: curriculum stage %q: %w", ErrConfig, part, err)
		}
		stages = append(stages, c)
	}
	net := stages[len(stages)-1].Net
	for i := range stages {
		c := &stages[i]
		board, walls, generations := c.Board, c.Walls, c.Generations
		c.Net = net
		if err := change(c); err != nil {
			return nil, err
		}
		if c.Board != board || c.Walls != walls || c.Generations != generations {
			return nil, fmt.Errorf("%w: a curriculum says by stage what board, walls and generations are; the settings say %s with %d walls for %d generations, its stage %d %s with %d for %d",
				ErrConfig, c.Board, c.Walls, c.Generations, i+1, board, walls, generations)
		}
		if err := c.Validate(); err != nil {
			return nil, err
		}
	}
	return stages, nil
}

func parseCurriculumStage(text string) (Config, error) {
	const want = "want WxH-N:GENERATIONS, as in 5x5-2:20"
	board, generations, ok := strings.Cut(text, ":")
	size, walls, ok2 := strings.Cut(board, "-")
	if !ok || !ok2 {
		return Config{}, errors.New(want)
	}
	w, h, err := quoridor.ParseSize(size)
	if err != nil {
		return Config{}, err
	}
	n, err := strconv.Atoi(walls)
	if err != nil {
		return Config{}, fmt.Errorf("%q walls: %s", walls, want)
	}
	b, err := quoridor.NewBoard(w, h, n)
	if err != nil {
		return Config{}, err
	}
	c := Preset(b)
	if generations != "*" {
		if c.Generations, err = strconv.Atoi(generations); err != nil {
			return Config{}, fmt.Errorf("%q generations: %s", generations, want)
		}
	}
	return c, nil
}

// Curriculum is a curriculum's folder.
type Curriculum struct {
	Folder Folder
	Stages []Config
}

// OpenCurriculum reads the curriculum in the folder, or begins one with the stages if the folder is empty. Stages for one that exists must be
// its own; nil takes it as it is.
func OpenCurriculum(folder Folder, stages []Config) (*Curriculum, error) {
	found, err := folder.readCurriculum()
	switch {
	case err == nil && stages != nil && !slices.Equal(found, stages):
		return nil, fmt.Errorf("%w: the curriculum in %s has other stages or settings; choose another folder", ErrConfig, string(folder))
	case err == nil:
		return &Curriculum{folder, found}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case stages == nil:
		return nil, fmt.Errorf("%w: %s has no curriculum.toml", ErrNoRun, string(folder))
	}
	if entries, err := os.ReadDir(string(folder)); err != nil && !errors.Is(err, fs.ErrNotExist) || len(entries) > 0 {
		return nil, errors.Join(err, fmt.Errorf("%w, and what it holds is no curriculum: %s; choose an empty folder", ErrExists, string(folder)))
	}
	if err := durable.MkdirAll(string(folder)); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.WriteString("# The stages of a curriculum, each with the settings that its run begins with; from then on those in the run's own folder hold.\n\n")
	if err := toml.NewEncoder(&text).Encode(curriculumFile{stages}); err != nil {
		return nil, fmt.Errorf("curriculum.toml: %w", err)
	}
	return &Curriculum{folder, stages}, durable.WriteFile(folder.curriculumPath(), text.Bytes())
}

// readCurriculum reads curriculum.toml. The error wraps fs.ErrNotExist if the folder holds no curriculum.
func (f Folder) readCurriculum() ([]Config, error) {
	text, err := readFile(f.curriculumPath(), maxStages*MaxConfig)
	if err != nil {
		return nil, err
	}
	var file curriculumFile
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&file); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrConfig, f.curriculumPath(), err)
	}
	if len(file.Stages) == 0 || len(file.Stages) > maxStages {
		return nil, fmt.Errorf("%w: %s has %d stages, must be 1 to %d", ErrConfig, f.curriculumPath(), len(file.Stages), maxStages)
	}
	for i, c := range file.Stages {
		if err := c.Validate(); err != nil {
			return nil, fmt.Errorf("%s, stage %d: %w", f.curriculumPath(), i+1, err)
		}
	}
	return file.Stages, nil
}

// IsCurriculum tells whether the folder holds a curriculum rather than a run.
func (f Folder) IsCurriculum() bool { return exists(f.curriculumPath()) }

// Folders returns the run folders of the stages.
func (c *Curriculum) Folders() []Folder {
	list := make([]Folder, len(c.Stages))
	for i, s := range c.Stages {
		list[i] = c.Folder.stageFolder(i, s)
	}
	return list
}

// Each opens the run of one stage after the other, up to and with the first that is not done when work returns, lets work do what is left of it and
// closes it. A stage begins from the champion of the one before it.
func (c *Curriculum) Each(ctx context.Context, work func(context.Context, *Run) error) error {
	folders := c.Folders()
	for i, config := range c.Stages {
		if i > 0 {
			config.Origin.Net = string(folders[i-1])
		}
		settings := &config
		if exists(folders[i].configPath()) {
			settings = nil
		}
		r, err := Open(folders[i], settings)
		if err != nil {
			return err
		}
		err = work(ctx, r)
		stage, _, nextErr := r.Next()
		if err = errors.Join(err, nextErr, r.Close()); err != nil || stage != StageDone {
			return err
		}
	}
	return nil
}

// newestStage returns the run folder of the newest stage of a curriculum that has begun.
func (f Folder) newestStage() (Folder, error) {
	stages, err := f.readCurriculum()
	if err != nil {
		return "", err
	}
	for i, c := range slices.Backward(stages) {
		if dir := f.stageFolder(i, c); exists(dir.championPath()) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("%w: no stage of the curriculum in %s has begun", ErrNoRun, string(f))
}
