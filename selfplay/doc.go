// Package selfplay lets a network play against itself: a pool of workers turns (evaluator, settings, seed) into game records.
//
// Every game has its own random stream, derived from the run's seed, the generation and the game's number, and nothing else
// enters it. Games are handed over in the order of their numbers. So the same seed gives the same records whatever the number of
// workers, and a run that was cut off goes on with the next number as if nothing had happened.
//
// Each worker owns one evaluator and one search and evaluates in line, one position at a time: on a CPU a batch of one is as fast
// as a large one, and no queue or virtual loss comes between the games.
package selfplay
