// Package play is what a person talks to: for now, a game in a terminal.
//
// A [Terminal] draws the board, reads moves in notation and answers with the opponent's, until the game is over or the person has had
// enough. It works the same with a person at a keyboard and with text from a pipe.
package play
