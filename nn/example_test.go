package nn_test

import (
	"fmt"

	"rampart/nn"
	"rampart/quoridor"
)

// Make a network, learn one position by heart, write and read the model, and
// ask it for its opinion.
func Example() {
	board := quoridor.MustBoard(5, 5, 2)
	weights, err := nn.NewWeights(nn.Config{Channels: 16, Blocks: 1, Hidden: 16}, 1)
	if err != nil {
		panic(err)
	}

	// The side to move wins from the start by stepping ahead.
	start := board.Start()
	moves := board.Moves(nil, &start)
	ahead := make([]float32, len(moves))
	for i, m := range moves {
		if m.String() == "c2" {
			ahead[i] = 1
		}
	}
	batch := nn.NewBatch(board, 4)
	for i := range batch.Size() {
		x := nn.Example{Position: start, Moves: moves, Policy: ahead, WDL: [3]float32{1, 0, 0}, Weight: 1}
		if err := batch.Set(i, x); err != nil {
			panic(err)
		}
	}
	trainer, err := nn.NewTrainer(board, batch.Size(), weights, nn.DefaultTrainerOptions())
	if err != nil {
		panic(err)
	}
	defer trainer.Close()
	for range 60 {
		if _, err := trainer.Step(batch, 0.01); err != nil {
			panic(err)
		}
	}

	model, err := nn.NewModel(nn.Meta{Board: board, Steps: int64(trainer.Steps())}, trainer.Weights())
	if err != nil {
		panic(err)
	}
	model, err = nn.Unmarshal(model.Marshal())
	if err != nil {
		panic(err)
	}
	evaluator, err := nn.NewEvaluator("native", model)
	if err != nil {
		panic(err)
	}
	defer evaluator.Close()
	logits, wdl := make([]float32, len(moves)), make([][3]float32, 1)
	if err := evaluator.Evaluate([]quoridor.Position{start}, [][]quoridor.Move{moves}, [][]float32{logits}, wdl); err != nil {
		panic(err)
	}
	best := 0
	for i := range moves {
		if logits[i] > logits[best] {
			best = i
		}
	}
	fmt.Printf("%v after %d steps, sure to win: %v\n", moves[best], model.Steps, wdl[0][0] > 0.9)
	// Output: c2 after 60 steps, sure to win: true
}
