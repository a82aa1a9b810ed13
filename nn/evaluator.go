package nn

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rampart/nn/kernel"
	"rampart/quoridor"
)

// Evaluator gives the network's opinion of positions. It is what the search
// asks for (mcts.Evaluator), with Close.
//
// The opinion is the same for a position and for its mirror image (with the
// moves mirrored), and for the position with the board turned and the players
// exchanged, bit for bit; and it does not depend on what else is evaluated in
// the same call or before. One goroutine uses an evaluator at a time; many
// evaluators may share a model.
type Evaluator interface {
	// Board returns the board that positions must be on.
	Board() *quoridor.Board
	// Evaluate sets logits[i][j] to the logit of moves[i][j], all legal moves of
	// pos[i], and wdl[i] to the probabilities of win, draw and loss for the side
	// to move. Finished positions have no moves and must not be passed.
	Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error
	// Close releases the evaluator.
	Close() error
}

// backend computes networks on planes.
type backend interface {
	// maxBatch returns how many boards one forward takes.
	maxBatch() int
	// forward computes n boards from planes [n][H+2][W+2][16]: the logits of the
	// policy, [n][A], and of the value, [n][3].
	forward(planes []float32, n int, policy, wdl []float32) error
	close() error
}

// backends are what computes networks, by name. "native" calls the kernels
// directly; "gorgonia" runs the inference graph; "onnx" gives the model's file to
// onnx-go, "ort" to ONNX Runtime. They agree but for rounding, and native is by
// far the fastest of them on a processor. "int8" rounds the network itself, and is
// faster still where the processor has AVX-512 with VNNI, but slow elsewhere.
var backends = map[string]func(m *Model) (backend, error){
	"native":   newNative,
	"gorgonia": newGorgonia,
	"onnx":     newONNX,
	nameORT:    newORT,
}

// checks are the evaluators that compare native with another back end, by name.
var checks = map[string]string{
	"check":          "onnx",
	"check-gorgonia": "gorgonia",
	"check-ort":      nameORT,
}

// Backends returns the names that [NewEvaluator] takes in this program: those
// with ort only if it was built with the tag ort.
func Backends() []string {
	names := []string{"native", "gorgonia", "onnx", "check", "check-gorgonia", nameInt8}
	if hasORT {
		names = append(names, nameORT, "check-ort")
	}
	return names
}

// nameInt8 is the back end that rounds the network. It joins the others in init,
// because its calibration needs them.
const nameInt8 = "int8"

func init() { backends[nameInt8] = newInt8 }

// Approximate reports whether a back end rounds the network, so that it agrees with
// the others in strength only, not within [CheckTolerance].
func Approximate(backend string) bool { return backend == nameInt8 }

// CheckBackend returns an error that wraps [ErrBackend] unless the name is empty
// or one of [Backends].
func CheckBackend(name string) error {
	switch {
	case name == "" || slices.Contains(Backends(), name):
		return nil
	case backends[name] != nil || checks[name] != "":
		return fmt.Errorf("%w: %s: %w", ErrBackend, name, errWithoutORT)
	}
	return fmt.Errorf("%w: no back end %q, there are %s", ErrBackend, name, strings.Join(Backends(), ", "))
}

// NewEvaluator returns an evaluator on the model's board; the empty name means
// native. "check" asks native and onnx about every position and answers as
// native does, or with an error that names the position if the two differ by
// more than [CheckTolerance]; "check-gorgonia" and "check-ort" compare native
// with those. Errors wrap [ErrBackend].
func NewEvaluator(name string, m *Model) (Evaluator, error) {
	if err := CheckBackend(name); err != nil {
		return nil, err
	}
	if name == "" {
		name = "native"
	}
	if second, ok := checks[name]; ok {
		return newCheck("native", second, m)
	}
	b, err := backends[name](m)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrBackend, name, err)
	}
	return newEvaluator(NewEncoder(m.Config, m.Board), b), nil
}

// evaluator frames positions for a back end. A position is turned for player 1;
// of the result and its mirror image the smaller one is evaluated, and the
// logits are mapped back. If the two are equal, the logits of each pair of
// mirrored actions are averaged.
type evaluator struct {
	board   *quoridor.Board
	encoder *Encoder
	backend backend
	mirror  []int // action of the mirrored position by action

	planes, policy, wdl []float32
	frames              []frame
}

// frame says how a position was brought to the form that is evaluated.
type frame struct{ mirrored, symmetric bool }

func newEvaluator(encoder *Encoder, back backend) *evaluator {
	b := encoder.board
	e := &evaluator{board: b, encoder: encoder, backend: back}
	for a := range b.NumActions() {
		e.mirror = append(e.mirror, b.MirrorAction(a))
	}
	e.reserve(1)
	return e
}

// reserve makes room for n boards.
func (e *evaluator) reserve(n int) {
	if n > len(e.frames) {
		e.planes = kernel.Alloc(n * e.encoder.Len())
		e.policy, e.wdl = kernel.Alloc(n*e.board.NumActions()), kernel.Alloc(n*3)
		e.frames = make([]frame, n)
	}
}

// Board is part of [Evaluator].
func (e *evaluator) Board() *quoridor.Board { return e.board }

// Close is part of [Evaluator].
func (e *evaluator) Close() error { return e.backend.close() }

// Evaluate is part of [Evaluator].
func (e *evaluator) Evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	if len(moves) != len(pos) || len(logits) != len(pos) || len(wdl) != len(pos) {
		return fmt.Errorf("%w: %d positions with %d, %d and %d results", ErrBackend, len(pos), len(moves), len(logits), len(wdl))
	}
	for len(pos) > 0 {
		n := min(len(pos), e.backend.maxBatch())
		if err := e.evaluate(pos[:n], moves, logits, wdl); err != nil {
			return fmt.Errorf("%w: %w", ErrBackend, err)
		}
		pos, moves, logits, wdl = pos[n:], moves[n:], logits[n:], wdl[n:]
	}
	return nil
}

func (e *evaluator) evaluate(pos []quoridor.Position, moves [][]quoridor.Move, logits [][]float32, wdl [][3]float32) error {
	n, size, actions := len(pos), e.encoder.Len(), e.board.NumActions()
	e.reserve(n)
	for i := range pos {
		e.frames[i] = e.frame(pos[i])
		e.encoder.Encode(e.planes[i*size:][:size], &pos[i], moves[i], e.frames[i].mirrored)
	}
	if err := e.backend.forward(e.planes[:n*size], n, e.policy[:n*actions], e.wdl[:n*3]); err != nil {
		return err
	}
	for i := range pos {
		e.pick(logits[i], &pos[i], moves[i], e.frames[i], e.policy[i*actions:][:actions])
		wdl[i] = softmax([3]float32(e.wdl[i*3:]))
	}
	return nil
}

// frame decides which of two mirror images is evaluated.
func (e *evaluator) frame(p quoridor.Position) frame {
	if p.Side() == 1 {
		p = e.board.Turn(p)
	}
	order := p.Compare(e.board.Mirror(p))
	return frame{mirrored: order > 0, symmetric: order == 0}
}

func (e *evaluator) pick(logits []float32, p *quoridor.Position, moves []quoridor.Move, f frame, policy []float32) {
	for j, m := range moves {
		a := e.board.Action(p, m)
		switch {
		case f.symmetric:
			logits[j] = (policy[a] + policy[e.mirror[a]]) / 2
		case f.mirrored:
			logits[j] = policy[e.mirror[a]]
		default:
			logits[j] = policy[a]
		}
	}
}

func softmax(logits [3]float32) (p [3]float32) {
	largest := float64(slices.Max(logits[:]))
	var e [3]float64
	for i, v := range logits {
		e[i] = math.Exp(float64(v) - largest)
	}
	sum := e[0] + e[1] + e[2]
	for i, v := range e {
		p[i] = float32(v / sum)
	}
	return p
}
