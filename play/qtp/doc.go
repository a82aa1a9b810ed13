// Package qtp speaks the Quoridor Text Protocol of the University of Athens, a dialect of the Go Text Protocol, so that its referees and programs
// can drive an engine of ours.
//
// A command is a line, a name and arguments, after a number if the caller wants it back. The answer is "= text", or "? message" if the command
// failed and changed nothing, and an empty line. Commands are worked off one after the other.
//
//	name, version, protocol_version, known_command NAME, list_commands, quit
//	boardsize N, walls N, clear_board                 each begins a new game
//	playmove COLOR SQUARE                             moves a pawn
//	playwall COLOR SQUARE horizontal|vertical         h and v do too
//	genmove COLOR                                     thinks, plays its move and tells it: "E8", or "E7 h" for a wall
//	undo [N]                                          takes moves back, one if no number is given
//	winner                                            "false", "true black" or "true white"
//	showboard
//
// # Frame of reference
//
// Black moves first, as our player 0. The protocol counts rows from white's side, so that black starts on the row with the largest number; columns are ours.
// A wall is named by the square at its upper left corner where the row with the largest number is above. With rows turned, that is our lower
// left corner: e3h here is "E7 h" there. Only this package knows of it.
package qtp
