package mcts_test

import (
	"context"
	"fmt"

	"rampart/mcts"
	"rampart/quoridor"
)

func Example() {
	b, p, err := quoridor.ParsePosition("9x9 e7 a5 - 0,0 0") // a race: white needs two steps, black four
	if err != nil {
		fmt.Println(err)
		return
	}
	cfg := mcts.DefaultConfig(mcts.PUCT)
	cfg.Simulations = 200
	s, err := mcts.NewSearch(mcts.Uniform{B: b}, cfg)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Run(context.Background(), p, -1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("best move", r.Move, "- winning:", r.Value > 0.5)
	// Output: best move e8 - winning: true
}
