// Package play is what a person or another program talks to. All front ends (web page, terminal, protocols) play on its types and have no rules
// of their own.
//
// # Game
//
// A [Game] is a tree of moves under the rules of package quoridor, with a cursor where somebody looks and a head where play stands. Playing a move
// adds a node, or finds it; [Game.Undo] and [Game.Redo] move the head, [Game.GoTo] only the cursor. A [Setup] says who sits where, on which board, under
// which rules and with which clock. The result of a node follows from the moves, unless the game was ended there by resignation or on time. [Game.Text] and
// [ReadText] save and load it, branches and evaluations included; [Game.Share] makes a short form for addresses. [Game.View] says all that there is to show of a
// position: legal moves, for every other wall the reason and the cells that it would cut off, shortest paths, repetitions. Times are always given, so that
// tests need no clock.
//
// # Engine
//
// An [Engine] thinks about the position of a game until its [Limits] or its context end, and answers with a move; networks also report while they think, with
// win rates, candidates and lines. Everything that plays is named in text: [NewEngine] makes an engine of "level:5", "net:FILE:sims=200", "racer" and all
// else that package arena knows; [Person] is a person. [Levels] are strengths with names, the same for all front ends; [ShippedModel] finds the network for a
// board. A program registers [NetKind] and [LevelKind] with package arena before it parses players.
//
// # Perspective
//
// Players are 0 (moves first, heads up) and 1. An [Eval] is the win rate of player 0; what an engine reports is for the side to move. Win rates go from 0 to 1, a
// draw counting half; a [Record]'s value goes from -1 to 1.
package play
