package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"rampart/data"
	"rampart/quoridor"
	"rampart/selfplay"
)

// TestForksAndResignationsInRuns: games of the second generation fork from those of the first, whatever the number of workers, and what soft
// resignation did is told and measured.
func TestForksAndResignationsInRuns(t *testing.T) {
	var prints []map[string][32]byte
	for _, workers := range []int{1, 3} {
		dir := t.TempDir()
		c := tinyConfig()
		c.Generations, c.Games = 2, 60
		c.SelfPlay.RandomOpenings, c.SelfPlay.Forks, c.SelfPlay.ResignValue, c.SelfPlay.ResignPlies, c.SelfPlay.ResignPlayedOn = 0, 1, 0.2, 1, 0.5
		r, err := Open(Folder(dir), &c)
		if err != nil {
			t.Fatal(err)
		}
		r.Workers = workers
		var told []string
		r.Observer.Event = func(text string) { told = append(told, text) }
		if err := errors.Join(r.Loop(context.Background()), r.Close()); err != nil {
			t.Fatal(err)
		}
		prints = append(prints, fingerprint(t, dir))
		if !strings.Contains(strings.Join(told, "\n"), "counted as decided before their end") {
			t.Errorf("nothing was told of resignations: %q", told)
		}
		if text, err := os.ReadFile(Folder(dir).metricsPath()); err != nil || !strings.Contains(string(text), `"played_on_wrong"`) {
			t.Errorf("nothing was measured of resignations (%v)", err)
		}
		var games [2][]*data.Game
		for i := range games {
			err := data.Visit(data.ShardPath(Folder(dir).gamesDir(), i+1), func(_ *data.Header, g *data.Game) error {
				games[i] = append(games[i], g)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for i := range games {
			var counted selfplay.Resignations
			for _, g := range games[i] {
				counted.Add(c.SelfPlay, g)
			}
			want := fmt.Sprintf("%d were played on to see it, %.1f %% of those turned", counted.PlayedOn, 100*counted.FalsePositives())
			if !strings.Contains(strings.Join(told, "\n"), want) {
				t.Errorf("generation %d: %q, want %q", i+1, told, want)
			}
		}
		for _, g := range games[0] {
			if g.Opening != 0 {
				t.Error("a fork in the first generation")
			}
		}
		for _, g := range games[1] {
			opening := g.Moves[:g.Opening]
			if !slices.ContainsFunc(games[0], func(from *data.Game) bool { return follows(opening, from.Moves) }) {
				t.Errorf("the opening %v of a fork follows no game of the first generation", opening)
			}
		}
	}
	compare(t, prints[1], prints[0])
}

// follows tells whether all moves but perhaps the last are those that the game begins with.
func follows(opening, game []quoridor.Move) bool {
	n := max(0, len(opening)-1)
	return n <= len(game) && slices.Equal(opening[:n], game[:n])
}
