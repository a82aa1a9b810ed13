// Package tui is the game in a terminal that can draw: the board, a cursor, the moves, and on request a live analysis.
//
// A [Model] is a bubbletea program on a [play.Game]; it has no rules of its own. Engines and the analysis think beside it and send messages, so that
// keys are answered at any moment. A thought that comes too late, because the person took a move back meanwhile, is dropped. When an engine fails, the
// person may move in its place, or let it try again.
//
// The cursor is a square, or a wall named by the square at its lower left; the arrow keys move it as it lies on the screen. Player 0 is a blue circle and
// player 1 an orange diamond, as in the web page. Without colours everything can still be told apart by its shape.
package tui
