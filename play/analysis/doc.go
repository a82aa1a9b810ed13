// Package analysis answers questions about positions and games.
//
// A [Server] speaks JSON lines with the field names of KataGo's analysis engine (PROTOCOL.md; schema.json says the same to programs): many queries at once,
// each about some positions of a game, worked off by a few workers in the order of their priority, and cancelled on demand. [Review] goes through one
// game and says what each move cost.
//
// # Types
//
// An [Analyst] thinks about one position at a time, with an engine that [Config] makes for each board, and with a [Solver] where the board is small enough
// for exact values. It forgets each search before the next, so that an answer does not depend on earlier questions. An [Answer] is what a
// server says of a position.
//
// # Perspective
//
// Everything is for the side to move, or for player 0 if [Config] says so. A win rate goes from 0 to 1, a draw counting half.
package analysis
