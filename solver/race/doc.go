// Package race knows the exact value of positions in which no walls are to come: the walls stay as they are and only the pawns move.
//
// # What it answers
//
// If neither player has walls left, that race is the game, and [Solver.Probe] gives its exact value and length: win, loss, or a draw by
// play that repeats for ever, as package solver has it. If one player has walls left and wins the race, he wins the game too: he
// needs none of his walls, and the other, who has none, can do nothing that he could not do in the race. The length is then
// the most that he needs; a wall may win sooner. All else is unknown here.
//
// # Method
//
// First a sufficient test ([field.clearRun]): a player who is ahead by step counting and has a shortest path on which the other can never
// meet him wins by walking it. Otherwise backward induction over all pawn pairs under the walls, level by level with sets of
// squares, as in package solver, but only as far as the position asked for needs; it is taken up again from there when the same
// walls come back. The walls met last are kept in a small cache, which changes the time and never an answer.
//
// # Perspective
//
// Outcomes are for the side to move. Squares are those of [quoridor.Cell].
package race
