package quoridor_test

import (
	"fmt"

	"rampart/quoridor"
)

func Example() {
	b := quoridor.MustBoard(5, 5, 2)
	g := quoridor.NewGame(b, b.Start(), quoridor.Rules{PlyCap: b.DefaultPlyCap()})
	for _, text := range []string{"c2", "c4", "b2h", "c3v"} {
		p := g.Position()
		m, err := b.ParseLegal(&p, text)
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := g.Play(m); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(b.Format(g.Position()))
	fmt.Print(b.Render(g.Position()))
	// Output:
	// 5x5 c2 c4 b2h,c3v 1,1 0
	// 5   .   .   .   .   .
	//
	// 4   .   .   1 | .   .
	//               |
	// 3   .   .   . | .   .
	//        =======
	// 2   .   .   0   .   .
	//
	// 1   .   .   .   .   .
	//     a   b   c   d   e
	// walls left: player 0 1, player 1 1; player 0 to move
}

func ExampleParsePosition() {
	b, p, err := quoridor.ParsePosition("9x9 e4 e6 e3h,c6v 9,9 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(b, "- moves:", b.CountMoves(&p), "- steps to the goal:", b.Distance(&p, 0), b.Distance(&p, 1))
	_, err = b.ParseLegal(&p, "e3v")
	fmt.Println(err)
	// Output:
	// 9x9 with 10 walls - moves: 124 - steps to the goal: 5 6
	// illegal move: e3v: the wall crosses another
}
