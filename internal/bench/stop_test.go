package bench

import (
	"context"
	"errors"
	"testing"
	"time"

	"rampart/mcts"
	"rampart/nn"
	"rampart/quoridor"
	"rampart/selfplay"
)

// TestMeasurementsStop: each would take an hour but for the context, which has ended.
func TestMeasurementsStop(t *testing.T) {
	b, network := quoridor.MustBoard(5, 5, 2), nn.Config{Channels: 16, Blocks: 1, Hidden: 16}
	w, err := nn.NewWeights(network, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := nn.NewModel(nn.Meta{Board: b}, w)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for name, measure := range map[string]func() error{
		"rules": func() error {
			_, err := MeasureRules(ctx, b, RandomPositions(b, 50, 1), time.Hour, 12)
			return err
		},
		"evaluator": func() error {
			_, err := MeasureEvaluator(ctx, "native", m, 8, 2, time.Hour)
			return err
		},
		"training": func() error {
			_, err := MeasureTraining(ctx, b, network, 8, 1, false, time.Hour)
			return err
		},
		"search": func() error {
			_, err := MeasureSearch(ctx, "native", m, mcts.DefaultConfig(mcts.PUCT), 2, time.Hour)
			return err
		},
		"self-play": func() error {
			_, err := MeasureSelfPlay(ctx, "native", m, selfplay.DefaultConfig(), 1<<20, 2)
			return err
		},
		"agreement": func() error {
			_, err := Agree(ctx, m, "native", "native", 1000, 8)
			return err
		},
	} {
		if err := measure(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
