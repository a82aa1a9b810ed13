// Package quoridor holds the rules of Quoridor on boards from 2x3 to 9x9 (columns x rows): positions, legal moves, distances, notation,
// symmetry and games. It depends on nothing but the standard library and every other package depends on it.
//
// # Types
//
// A [Board] is the immutable shape of the playing field (width, height, walls for each player) together with its lookup
// tables; equal shapes share one *Board. A [Position] is a small comparable value without pointers: two wall sets, two pawns,
// two wall stocks and the side to move. A [Move] is one byte that means the same move on every board. A [Game] is a list of
// moves under [Rules] that may end it in a draw.
//
// # Frame of reference
//
// Columns run from a (x = 0), rows from 1 (y = 0); a1 is the lower left corner as player 0 sees it. Player 0 starts on row 1
// and wins on reaching row H, player 1 starts on row H and wins on reaching row 1; both start on column W/2. Player 0 moves
// first. A horizontal wall named by its lower left square lies above that square and its right neighbour; a vertical wall
// lies to the right of that square and of the one above it.
//
// The action map ([Board.Action]) is the only thing here that takes the mover's view: for player 1 the board is turned by 180
// degrees, so that the mover always heads up.
//
// # Invariants
//
// In every position reached by legal moves, walls neither overlap nor cross, the pawns stand on different squares, and both
// pawns have a path to their goal row. With that, the side to move always has a legal pawn move. His pawn has an open edge. If
// its only one leads to the opponent, then a jump is possible, straight or diagonal, if the opponent's square has any other
// open edge. If it had none, the two squares would be closed off, so both paths would lie within them: the opponent would
// stand on the mover's goal row and the mover on the opponent's, which needs a board of two rows; boards have three or more.
package quoridor
