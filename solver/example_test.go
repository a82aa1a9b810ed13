package solver_test

import (
	"context"
	"fmt"

	"rampart/quoridor"
	"rampart/solver"
)

// The value of a board's start, and of the first moves that do not lose at once.
func ExampleSolver() {
	b := quoridor.MustBoard(3, 5, 3)
	s, err := solver.New(b, solver.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	v, err := s.Value(ctx, b.Start())
	fmt.Println(v, err)
	moves, err := s.MoveValues(ctx, nil, b.Start())
	for _, m := range moves {
		if m.Value.Outcome == solver.Win {
			fmt.Println(m.Move, m.Value, err)
		}
	}
	// Output:
	// win in 19 <nil>
	// a3v win in 19 <nil>
	// b3v win in 19 <nil>
}

// A search needs no table, but finds forced wins only.
func ExampleProver() {
	b := quoridor.MustBoard(7, 7, 1)
	p, err := solver.NewProver(b, solver.SearchOptions{Memory: 64 << 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Prove(context.Background(), b.Start(), 20))
	// Output: loss in 16 <nil>
}

// Every value of a table follows from the values of the next positions.
func ExampleSolver_Verify() {
	s, err := solver.New(quoridor.MustBoard(3, 3, 2), solver.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	if err := s.Prepare(ctx); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Verify(ctx, 1))
	// Output: 1584 <nil>
}
