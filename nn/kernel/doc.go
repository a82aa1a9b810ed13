// Package kernel is the float32 arithmetic that inference and training share:
// 3x3 convolutions and their gradients, batch normalisation, dense products,
// and the optimizer's update. It knows nothing of Quoridor or of networks.
//
// # Layout
//
// Activations are NHWC, and every board is surrounded by a halo one cell wide
// that is always zero: [N][H+2][W+2][C]. [Shape] computes lengths and offsets.
// No function ever writes to a halo, so a buffer that [Alloc] returned keeps a
// zero halo for life; code outside this package must keep to that too, because
// the convolutions read the halo as their padding. Channel counts are multiples
// of 16. Convolution weights are in ONNX order, [cout][cin][3][3]. Every buffer
// handed to this package comes from [Alloc] (64-byte aligned).
//
// # Guarantees
//
// The result for one board depends neither on the other boards of the call nor
// on their number, bit for bit; no result depends on the number of workers.
// Sums over boards run in an order that depends on the number of boards only.
// Once a [Workspace] has seen a call of a size, calls of that size allocate
// nothing. Buffers that are too short are a programming error and panic.
//
// # Concurrency
//
// A [Workspace] is scratch memory and belongs to one caller at a time. A packed
// [Conv] or [Panel] is read only by the functions that multiply with it, and may
// be shared by many callers that bring a Workspace each.
//
// # Speed
//
// Convolutions use Winograd's F(3x3,3x3): see winograd.go. One board at a time is
// nearly as fast as many, if the layers' weights fit the second-level cache. Many
// boards go through many layers fastest a few at a time, about eight of 9x9 cells,
// so that their activations stay in that cache; training keeps all activations,
// and does best with 16 to 32 boards a call. [Conv.MultiplyAdds] and [PeakGFLOPS]
// tell how close to the machine's limit a measurement is.
//
// # Implementations
//
// There are three, with the same layouts and the same tests: "avx512", "avx2"
// (AVX2 and FMA) and "portable" (Go). The best one that the processor supports
// is chosen when the program starts; the environment variable RAMPART_KERNEL
// forces one of the three by name, and so does [Select]. Two implementations
// round differently (only one of them may fuse a multiplication and an
// addition), so reproducible runs fix the implementation too.
package kernel
