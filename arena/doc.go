// Package arena lets players meet: the classical players of Quoridor, paired matches, and the statistics that say what a match
// has shown.
//
// # Players
//
// A [Player] chooses moves in one game at a time; an [Opponent] is a name with a factory, so that every goroutine of a match
// has a player of its own. [Parse] turns text such as "alphabeta:depth=4" into an Opponent; [Kinds] lists what there is and
// [Register] adds to it. The players here, from weak to strong:
//
//   - random: any legal move, all equally likely.
//   - racer: advances while it is not behind, else places the wall that lengthens the opponent's path most.
//   - waller: one ply of search with distances and walls as evaluation.
//   - alphabeta: iterative deepening alpha-beta with a transposition table.
//   - rollout: Monte Carlo tree search with rollouts along shortest paths.
//
// # Matches
//
// [Match] plays pairs of games: both games of a pair start from the same opening, with the seats exchanged, so that an
// opening that favours one side favours both players once. Every game has its own random streams, derived from the match's
// seed, the pair and the game, and results are counted in the order of the pairs; therefore a match, and the moment at which
// its SPRT stops it, is the same whatever the number of workers. (A player that is limited by time is not reproducible.)
// [Ladder] plays all pairings of several players and rates them.
//
// # Statistics
//
// The unit of all statistics is the pair, with 0 to 2 points for player A in steps of one half: five outcomes, hence
// "pentanomial". The games of a pair depend on each other through their opening; pairs are independent. [SPRT] is the generalised
// sequential probability ratio test on that model, [MatchResult.Elo] an estimate with its 95 % interval, [Rate] the
// Bradley-Terry model for many players.
//
// # Frame of reference
//
// A and B are the two sides of a match, 0 and 1 the seats of a game (player 0 moves first). Scores, Elo and tallies are
// always A's unless said otherwise. A is player 0 in the first game of a pair and player 1 in the second.
package arena
