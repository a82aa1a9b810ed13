// Package data keeps the games that self-play makes and hands them to training.
//
// # Types
//
// A [Game] is one game with what the search said about its plies. A shard is a file of games (FORMAT.md says byte by byte what is in
// it): a [Writer] makes one with [Create], goes on with one that was cut off with [Reopen], and finishes it with [Writer.Seal];
// after that it never changes, and a [Reader] reads any game of it without reading the rest. A [Window] is the part of a run's
// shards that training draws its rows from. [Verify], [Recover], [Merge], [Stats] and the exporters serve people.
//
// # What is promised
//
// A game is acknowledged when [Writer.Flush] (or an Append that filled a block) has returned nil: it is then on disk and a kill at any
// later moment does not lose it. Every byte of a shard is covered by a checksum, and a reader replays every game through the
// rules and checks every policy; what fails gives an [Error] that says where and wraps one of the package's sentinels. A game that
// does not replay is never returned. Equal games in equal order make equal bytes. Whatever a file claims, a reader
// allocates no more than the limits in FORMAT.md allow.
//
// # Frame of reference
//
// Moves, squares and walls are those of package quoridor: a1 is the lower left corner seen by player 0, whoever moves. Values,
// outcomes and plies left are for the side to move at the ply. A generation counts the models of a run; a game's number
// ([Game.ID]) counts within its generation, and the two together are its identity.
package data
