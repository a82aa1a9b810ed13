package bench

import (
	"testing"
	"time"

	"rampart/mcts"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/selfplay"
)

func TestMeasureSearch(t *testing.T) {
	w, err := nn.NewWeights(nn.Config{Channels: 16, Blocks: 1, Hidden: 16}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := nn.NewModel(nn.Meta{Board: quoridor.MustBoard(5, 5, 2)}, w)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []mcts.Mode{mcts.PUCT, mcts.Gumbel} {
		r, err := MeasureSearch(t.Context(), "native", m, mcts.DefaultConfig(mode), 2, time.Nanosecond)
		if err != nil || r.Evaluator.PerSecond <= 0 || r.Games.PerSecond <= 0 || (r.One.PerSecond > 0) != (mode == mcts.PUCT) || r.Games.Share(r.Evaluator) <= 0 {
			t.Errorf("%s: %+v, %v", mode, r, err)
		}
	}
}

func TestMeasureSelfPlay(t *testing.T) {
	w, err := nn.NewWeights(nn.Config{Channels: 16, Blocks: 1, Hidden: 16}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := nn.NewModel(nn.Meta{Board: quoridor.MustBoard(3, 4, 1)}, w)
	if err != nil {
		t.Fatal(err)
	}
	cfg := selfplay.DefaultConfig()
	cfg.Search.Simulations = 4
	r, err := MeasureSelfPlay(t.Context(), "native", m, cfg, 5, 2)
	if err != nil || r.Games != 5 || r.Searches == 0 || r.Plies < r.Searches || r.Positions.PerSecond <= 0 || r.PerHour <= 0 || r.Recording <= 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
