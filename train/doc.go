// Package train is the learning loop: self-play with the champion, training on what was played, and the gate that lets a candidate
// take the champion's place, generation after generation, in one run folder.
//
// # Run folder
//
// A folder is a run, and all there is to back up ([Folder] knows the names in it):
//
//	run.toml            every setting ([Config]), written at the start
//	games/              shards of game records, one a generation, immutable once sealed
//	models/             candidates as ONNX, one a generation; 00000000.onnx is the network that the run began with: random, or
//	                    one of any board that it began from ([OriginConfig])
//	champion.json       the model that plays and how it won ([Champion])
//	checkpoint/         the trainer's whole state ([Checkpoint]), the last few kept
//	matches.jsonl       one line for every gate match and yardstick
//	metrics.jsonl       one line for every event worth plotting; the ladder's ratings are made from its lines
//	lock                held by the process that may write
//
// # Stages and resuming
//
// A generation passes four stages, each of which leaves a file when it is done: the sealed shard, the checkpoint, the candidate's
// model, and the champion file with the generation that was gated last. What is to be done next follows from the files alone, so a
// run that was cut off at any moment goes on where it was. Self-play goes on with the next game of an unsealed shard; a training
// stage that was cut off starts again from the last checkpoint and takes the same steps. All randomness comes from the run's seed,
// the generation and the saved state of the trainer, so a resumed run makes the same games, weights and decisions as an unbroken
// one.
//
// # Curricula
//
// A [Curriculum] is a folder of run folders, one for each board, each of which begins from the champion of the one before. Weights do not
// depend on the board; shards, windows and champions do, and stay apart.
package train
