package train

import (
	"errors"
	"fmt"
	"io/fs"

	"rampart/data"
	"rampart/nn"
)

// Check reads every file of a run folder but its shards, which [data.Verify] reads, and calls fault for each one that is damaged or missing. It
// changes nothing. A file that a run at work replaces meanwhile may be told wrongly.
func (f Folder) Check(fault func(error)) error {
	if _, err := f.ReadConfig(); err != nil {
		fault(err)
	}
	champion, err := readChampion(f.championPath())
	if err != nil {
		fault(err)
	}
	if _, err := readChampion(f.previousPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		fault(err)
	}
	if err := f.checkModels(champion, fault); err != nil {
		return err
	}
	checkpoints, err := f.checkpoints()
	if err != nil {
		return err
	}
	for _, path := range checkpoints {
		if _, err := loadCheckpoint(path); err != nil {
			fault(err)
		}
	}
	for _, path := range []string{f.metricsPath(), f.matchesPath()} {
		found, err := sortLines(path, nil, nil, nil)
		if err != nil {
			fault(err)
		}
		if found.bad > 0 {
			fault(fmt.Errorf("%w: %s: %d line(s) cut off or altered, the first is line %d", ErrDamaged, path, found.bad, found.first))
		}
	}
	missing, err := f.missingShards(champion.Dropped, champion.Gated)
	for _, path := range missing {
		fault(fmt.Errorf("%w: %s is missing", ErrDamaged, path))
	}
	return err
}

func (f Folder) checkModels(champion Champion, fault func(error)) error {
	models, err := f.modelNumbers()
	if err != nil {
		return err
	}
	for _, g := range models {
		m, err := nn.Load(f.modelPath(g))
		if err == nil && champion.Model != "" && g == champion.Generation && m.ID() != champion.Model {
			err = fmt.Errorf("%w: %s is model %s, champion.json names %s", ErrDamaged, f.modelPath(g), m.ID(), champion.Model)
		}
		if err != nil {
			fault(err)
		}
	}
	if champion.Model != "" && !exists(f.modelPath(champion.Generation)) {
		fault(fmt.Errorf("%w: the champion's model %s is missing", ErrDamaged, f.modelPath(champion.Generation)))
	}
	if _, err := nn.Load(f.bestPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		fault(err)
	}
	return nil
}

// missingShards lists the sealed shards up to the generation that should be there and are not.
func (f Folder) missingShards(dropped Dropped, generation int) ([]string, error) {
	list, err := data.Shards(f.gamesDir())
	if err != nil {
		return nil, err
	}
	there := map[int]bool{}
	for _, s := range list {
		there[s.Number] = !s.Open
	}
	var missing []string
	for g := dropped.Through + 1; g <= generation; g++ {
		if !there[g] {
			missing = append(missing, data.ShardPath(f.gamesDir(), g))
		}
	}
	return missing, nil
}
