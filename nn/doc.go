// Package nn is Rampart's network: it turns positions into planes, evaluates
// them, trains, and reads and writes models as ONNX files.
//
// # Types
//
// [Weights] are what training changes; a [Trainer] steps them on a [Batch], a
// [Scorer] measures them, an [EMA] averages them. A [Model] is a network for
// use: folded weights ([Folded]) with what is known about them ([Meta]). It is
// what a file holds ([Load], [Model.Marshal]) and what an [Evaluator] runs.
// Training goes on from weights and a [TrainerState], never from a model. The
// [Encoder] makes planes for both.
//
// The network itself is described in package nn/graph, which builds it for
// Gorgonia; its arithmetic is in nn/kernel, and the file format in nn/onnx.
//
// # Frame of reference
//
// Everything that goes in or out of the network is seen by the side to move:
// for player 1 the board is turned by 180 degrees and the players exchanged,
// so the mover always heads for the last row. Values are win, draw and loss for
// the side to move. Policies are indexed by the action map of package quoridor,
// which uses the same frame. Planes are [H+2][W+2][16]: rows from the mover's
// home row, columns from his left, in a halo of zeros.
//
// # Invariants
//
// An evaluator answers the same for a position, for its mirror image and for
// the position with the players exchanged, and whatever else is in the batch,
// bit for bit. Weights do not depend on the board's size. A trainer is
// reproducible, bit for bit, for any number of workers, and after its state was
// saved and restored. Files of a newer [FormatVersion] or [FeatureSet], or of
// another [ActionMap], are refused with both versions named, and files from
// strangers are read in bounded memory.
package nn
