package train

import (
	"errors"
	"fmt"
	"io/fs"

	"rampart/data"
	"rampart/selfplay"
)

// earlierGames returns the games of the last generation's shard, which self-play forks from if the settings ask for it: none in the first
// generation, nor if that shard was let go. A shard that is damaged gives the games before the damage.
func (r *Run) earlierGames(generation int) ([]*data.Game, error) {
	if r.Config.SelfPlay.Forks == 0 || generation <= 1 {
		return nil, nil
	}
	var games []*data.Game
	err := data.Visit(data.ShardPath(r.Folder.gamesDir(), generation-1), func(h *data.Header, g *data.Game) error {
		if h.Board == r.Board {
			games = append(games, g)
		}
		return nil
	})
	if err != nil && !data.IsFault(err) && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return games, nil
}

// tellResignations says how soft resignation went, where it is on.
func (r *Run) tellResignations(generation int, c *selfplay.Resignations) {
	if c == nil {
		return
	}
	r.event("generation %d: %d of %d games counted as decided before their end, %d of them turned; %d were played on to see it, %s of those turned",
		generation, c.Decided, c.Games, c.Wrong, c.PlayedOn, fmt.Sprintf("%.1f %%", 100*c.FalsePositives()))
}
