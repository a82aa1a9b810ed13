// Package graph builds Rampart's network as Gorgonia graphs: one for training
// or scoring ([NewTraining]) and one for inference ([NewInference]).
//
// # The network
//
//	planes [N][H+2][W+2][16] -> 3x3 convolution to C channels, batch norm, ReLU
//	Blocks times: x = ReLU(norm(conv(ReLU(norm(conv(x))))) + x)      He et al. 2016
//	walls: 2x2 convolution C -> 2 over the trunk, one output for each anchor
//	g: mean of the trunk over the cells, the trunk at the mover's pawn, the
//	   trunk at the opponent's pawn  [N][3C]
//	h: ReLU(dense(g)) [N][Hidden]; pawn moves: dense(h) [N][12]; wdl: dense(h) [N][3]
//	policy: pawn moves, horizontal walls, vertical walls [N][A], logits
//	auxiliary, if the network has them ([Heads]): reply, built like the policy;
//	margin and plies: dense(h) [N][1] each
//
// Nothing depends on the board's size but the shapes of the activations, so the
// weights of one board fit every other. The loss is the cross-entropy of the
// policy (softmax over the legal actions only) plus that of the value, each
// summed over the batch with a weight for every row, plus what the auxiliary
// heads add: the reply's cross-entropy and squared errors of the other two.
//
// # Operations
//
// The heavy operations are our own: each is an [operation], which owns its
// output buffer, knows its derivative (Gorgonia's SymDiff) and reports a panic
// as an error. Only the gradients of the trunk are in shared buffers, and those
// by the convolutions' weights are added up where they are computed.
// Operations are written once for float32 and float64; what they compute with is
// an [arithmetic]: the kernels of nn/kernel for float32, and plain loops
// for float64, which exist so that the whole network can be checked against
// finite differences. The layout is that of nn/kernel: NHWC, each board in a
// halo of zeros.
//
// The same training graph can be built from Gorgonia's own operations
// ([Options.Stock]). It is some twenty times slower and is the reference that
// the other one is tested against.
//
// # Concurrency
//
// A graph belongs to one goroutine. Graphs may be built and run in parallel:
// building holds a lock (Gorgonia keeps global state there), and every graph
// has tensor headers and buffers of its own.
package graph
