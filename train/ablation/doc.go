// Package ablation compares two settings of a run: each learns from scratch with the same seeds and the same processor time, and what
// they learned is measured by a paired match and, where a solver knows the board, by the share of optimal moves.
//
// # Equal processor time
//
// The first arm of the first seed runs for the generations that its settings ask for. The second does too; if its self-play, training
// and gates took another processor time, it starts again with as many generations as make the times equal, and keeps that number for the
// other seeds. All schedules of a run are relative to its number of generations, so that its cost grows in proportion. Yardsticks and the
// final match are not counted.
//
// # Intervals
//
// Two runs of the same settings differ by their seed, more than a match between two given networks is uncertain. So the verdict is
// the mean over the seeds with Student's interval; the match of each seed has its own, narrower interval, that says only which of the two
// networks is stronger.
//
// # Folder
//
// Each arm of each seed is a run folder of its own, and ablation.jsonl holds the processor time of its stages. An ablation that was cut off
// goes on where it was.
package ablation
