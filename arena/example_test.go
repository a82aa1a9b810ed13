package arena_test

import (
	"context"
	"fmt"

	"rampart/arena"
	"rampart/quoridor"
)

func ExampleMatch() {
	a, b := arena.MustParse("alphabeta:depth=2"), arena.MustParse("racer")
	result, err := arena.Match(context.Background(), a, b, arena.MatchConfig{
		Board:        quoridor.MustBoard(5, 5, 3),
		Pairs:        50,
		OpeningPlies: 2,
		Seed:         1,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Games(), "games,", result.Elo().Low > 0)
	// Output: 100 games, true
}

func ExampleSPRT() {
	test := arena.SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05}
	fmt.Println(test.Decide(arena.Pairs{2, 1, 10, 3, 4}))
	fmt.Println(test.Decide(arena.Pairs{5, 10, 60, 40, 35}))
	// Output:
	// no decision
	// H1 accepted
}
