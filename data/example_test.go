package data_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"rampart/data"
	"rampart/quoridor"
)

// Write a game to a shard, read it back, and draw a training row from a window over the shard.
func Example() {
	dir, err := os.MkdirTemp("", "games")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	board := quoridor.MustBoard(3, 3, 0)
	start := board.Start()
	game := &data.Game{Generation: 1, ID: 0, Seed: 42, Rules: quoridor.Rules{PlyCap: 22}, Result: quoridor.Win0}
	for _, name := range []string{"b2", "a3", "b3"} {
		m, err := board.ParseMove(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		game.Moves = append(game.Moves, m)
	}
	moves := board.Moves(nil, &start) // what the search says about them
	policy, err := data.AppendPolicy(nil, moves, []float32{0.8, 0.1, 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	game.Searches = []data.Search{{Ply: 0, Visits: 16, Value: data.FixedValue(0.75), Policy: policy}}

	path := data.ShardPath(dir, 1)
	w, err := data.Create(path, data.Header{Board: board, Rules: game.Rules})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Append(game); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Seal(); err != nil {
		fmt.Println(err)
		return
	}

	r, err := data.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	for g, err := range r.All() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(filepath.Base(path), "game", g.ID, g.Moves, g.Result)
	}

	window, err := data.NewWindow(board, data.WindowConfig{BaseRows: 1000, Alpha: 0.75, Beta: 0.4})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := window.Load([]string{path}); err != nil {
		fmt.Println(err)
		return
	}
	var row data.Row
	window.Sample(rand.New(rand.NewPCG(1, 2)), &row)
	fmt.Printf("%s: win %.0f, value %.2f, %.0f plies left\n", board.Format(row.Position), row.WDL[0], row.Value, row.PliesLeft)
	// Output:
	// 00000001.rgz game 0 [b2 a3 b3] player 0 wins
	// 3x3 b1 b3 - 0,0 0: win 1, value 0.75, 3 plies left
}
