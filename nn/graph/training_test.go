package graph

import (
	"math"
	"runtime"
	"sync"
	"testing"
)

// The derivatives of the whole network, against central differences of its
// loss. Everything but the arithmetic is shared with float32.
func TestGradientsMatchFiniteDifferences(t *testing.T) {
	const n, step = 3, 1e-6
	values, in := randomValues[float64](full, 1), randomInputs[float64](full, n, 2)
	_, _, _, grads := gradients(t, full, n, values, in, options)

	net, err := NewTraining(full, n, values, options)
	if err != nil {
		t.Fatal(err)
	}
	loss := func() float64 {
		if err := net.Run(in); err != nil {
			t.Fatal(err)
		}
		return net.Loss()
	}
	r, worst, learned := random(3), 0.0, -1
	for i, p := range full.Params() {
		if p.Kind == Statistic {
			continue
		}
		learned++
		largest := 0.0
		for _, g := range grads[learned] {
			largest = math.Max(largest, math.Abs(g))
		}
		for range 6 {
			k := r.IntN(p.Len())
			old := values[i][k]
			values[i][k] = old + step
			up := loss()
			values[i][k] = old - step
			down := loss()
			values[i][k] = old
			diff := math.Abs((up-down)/(2*step)-grads[learned][k]) / largest
			worst = math.Max(worst, diff)
			if !(diff < 1e-6) {
				t.Errorf("%s[%d]: gradient %g, finite difference %g", p.Name, k, grads[learned][k], (up-down)/(2*step))
			}
		}
	}
	t.Logf("worst difference %.2g", worst)
}

func TestOwnOperationsMatchStock(t *testing.T) {
	for _, c := range []struct {
		name  string
		arch  Arch
		n     int
		limit float64
		check func(t *testing.T, a Arch, n int, limit float64)
	}{
		{"small", small, 4, 1e-4, compareWithStock[float32]},
		{"small float64", small, 4, 1e-9, compareWithStock[float64]},
		{"one board", small, 1, 1e-4, compareWithStock[float32]},
		{"one board float64", small, 1, 1e-9, compareWithStock[float64]},
		{"9x9", Arch{H: 9, W: 9, Channels: 32, Blocks: 2, Hidden: 32}, 6, 1e-4, compareWithStock[float32]},
		{"3x3 without blocks", Arch{H: 3, W: 3, Channels: 16, Blocks: 0, Hidden: 16}, 5, 1e-4, compareWithStock[float32]},
	} {
		t.Run(c.name, func(t *testing.T) { c.check(t, c.arch, c.n, c.limit) })
	}
}

func compareWithStock[T Float](t *testing.T, a Arch, n int, limit float64) {
	values, in := randomValues[T](a, 5), randomInputs[T](a, n, 6)
	reference := options
	reference.Stock = true
	stockLoss, stockPolicy, stockWDL, stockGrads := gradients(t, a, n, values, in, reference)
	loss, policy, wdl, grads := gradients(t, a, n, values, in, options)
	worst := math.Abs(loss-stockLoss) / stockLoss
	worst = max(worst, difference(stockPolicy, policy), difference(stockWDL, wdl))
	if worst > limit {
		t.Errorf("loss %v, stock %v; policy differs by %.2g, wdl by %.2g",
			loss, stockLoss, difference(stockPolicy, policy), difference(stockWDL, wdl))
	}
	for i, name := range learnedNames(a) {
		d := difference(stockGrads[i], grads[i])
		worst = max(worst, d)
		if !(d <= limit) {
			t.Errorf("gradient of %s differs by %.2g", name, d)
		}
	}
	t.Logf("worst difference %.2g", worst)
}

// Both graphs move the running statistics by the same batch statistics.
func TestStatisticsMatchStock(t *testing.T) {
	in := randomInputs[float32](small, 4, 6)
	var after [2][][]float32
	for i, o := range []Options{options, {Workers: 1, PolicyLoss: 1, ValueLoss: 1, Stock: true}} {
		after[i] = randomValues[float32](small, 5)
		net, err := NewTraining(small, 4, after[i], o)
		if err != nil {
			t.Fatal(err)
		}
		if err := net.Run(in); err != nil {
			t.Fatal(err)
		}
		net.UpdateStatistics(0.25)
	}
	before := randomValues[float32](small, 5)
	for i, p := range small.Params() {
		if d := difference(after[1][i], after[0][i]); d > 1e-5 {
			t.Errorf("%s differs by %.2g", p.Name, d)
		}
		if moved := difference(before[i], after[0][i]) > 0; moved != (p.Kind == Statistic) {
			t.Errorf("%s moved: %v", p.Name, moved)
		}
	}
}

// Workers only share the work: not a bit of the gradients depends on them.
func TestWorkersDoNotChangeGradients(t *testing.T) {
	a := Arch{H: 5, W: 5, Channels: 32, Blocks: 1, Hidden: 16}
	values, in := randomValues[float32](a, 7), randomInputs[float32](a, 9, 8)
	_, _, _, want := gradients(t, a, 9, values, in, options)
	for _, workers := range []int{2, 3, 8} {
		o := options
		o.Workers = workers
		_, _, _, got := gradients(t, a, 9, values, in, o)
		for i, name := range learnedNames(a) {
			if difference(want[i], got[i]) != 0 {
				t.Errorf("%d workers: %s differs", workers, name)
			}
		}
	}
}

// Running again without preparing the weights gives the same gradients, to which
// they are added; after a change of the weights Run notices.
func TestRunAgain(t *testing.T) {
	values, in := randomValues[float32](small, 7), randomInputs[float32](small, 3, 8)
	net, err := NewTraining(small, 3, values, options)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, loss float64, grads [][]float32, times float32) {
		t.Helper()
		if net.Loss() != loss {
			t.Errorf("%s: loss %v, want %v", what, net.Loss(), loss)
		}
		for i, p := range net.Learned() {
			v, err := p.Grad()
			if err != nil {
				t.Fatal(err)
			}
			got := v.Data().([]float32)
			for k, g := range grads[i] {
				if got[k] != times*g {
					t.Fatalf("%s: gradient %d of %s is %v, want %v", what, k, learnedNames(small)[i], got[k], times*g)
				}
			}
			if times == 2 {
				clear(got)
			}
		}
	}
	if err := net.RunAgain(in); err == nil {
		t.Error("no error before the first run")
	}
	loss, _, _, grads := gradients(t, small, 3, values, in, options)
	for i, run := range []func(Inputs[float32]) error{net.Run, net.RunAgain} {
		if err := run(in); err != nil {
			t.Fatal(err)
		}
		check("unchanged", loss, grads, float32(i+1))
	}
	for _, v := range values {
		for i := range v {
			v[i] *= 0.75
		}
	}
	loss, _, _, grads = gradients(t, small, 3, values, in, options)
	if err := net.Run(in); err != nil {
		t.Fatal(err)
	}
	check("changed", loss, grads, 1)
}

// Graphs built and run at the same time do not disturb each other.
func TestGraphsInParallel(t *testing.T) {
	values, in := randomValues[float32](small, 7), randomInputs[float32](small, 3, 8)
	_, _, _, want := gradients(t, small, 3, values, in, options)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			_, _, _, got := gradients(t, small, 3, values, in, options)
			for i, name := range learnedNames(small) {
				if difference(want[i], got[i]) != 0 {
					t.Errorf("%s differs", name)
				}
			}
		})
	}
	group.Wait()
}

func TestScoringMatchesFloat64(t *testing.T) {
	const n = 4
	o := options
	o.Eval = true
	in := randomInputs[float32](full, n, 6)
	net, err := NewTraining(full, n, randomValues[float32](full, 5), o)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := NewTraining(full, n, randomValues[float64](full, 5), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := net.Run(in); err != nil {
		t.Fatal(err)
	}
	if err := exact.Run(Inputs[float64]{
		widen(in.Planes), widen(in.Policy), widen(in.WDL), widen(in.PolicyWeight), widen(in.ValueWeight),
		widen(in.Reply), widen(in.ReplyWeight), widen(in.Margin), widen(in.Plies),
	}); err != nil {
		t.Fatal(err)
	}
	if d := difference(exact.Policy(), widen(net.Policy())); d > 1e-5 {
		t.Errorf("policy differs by %.2g", d)
	}
	if d := difference(exact.WDL(), widen(net.WDL())); d > 1e-5 {
		t.Errorf("wdl differs by %.2g", d)
	}
	for i, head := range [][2][]float64{{exact.Reply(), widen(net.Reply())}, {exact.Margin(), widen(net.Margin())}, {exact.Plies(), widen(net.Plies())}} {
		if d := difference(head[0], head[1]); d > 1e-5 || len(head[0]) == 0 {
			t.Errorf("auxiliary head %d differs by %.2g", i, d)
		}
	}
	if d := math.Abs(exact.Loss() - net.Loss()); d > 1e-5 {
		t.Errorf("loss differs by %.2g", d)
	}
}

// An auxiliary head adds its loss and parameters to a network, and nothing else:
// with its loss at weight 0 the others' gradients are what they are without it.
func TestHeadsAreIndependent(t *testing.T) {
	const n = 3
	o := Options{Workers: 1, PolicyLoss: 1, ValueLoss: 0.7}
	in := randomInputs[float32](full, n, 6)
	loss, policy, wdl, want := gradients(t, small, n, randomValues[float32](small, 5), in, o)
	for _, h := range []Heads{{Reply: true}, {Margin: true}, {Plies: true}, full.Heads} {
		a := withHeads(h)
		gotLoss, gotPolicy, gotWDL, grads := gradients(t, a, n, randomValues[float32](a, 5), in, o)
		if gotLoss != loss || difference(policy, gotPolicy) != 0 || difference(wdl, gotWDL) != 0 {
			t.Errorf("%+v: the outputs differ", h)
		}
		for i, name := range learnedNames(a) {
			reference := make([]float32, len(grads[i]))
			if i < len(want) {
				reference = want[i]
			}
			if d := difference(reference, grads[i]); d > 1e-6 {
				t.Errorf("%+v: gradient of %s differs by %.2g", h, name, d)
			}
		}
		counted := options
		counted.PolicyLoss, counted.ValueLoss = 0, 0
		if headLoss, _, _, _ := gradients(t, a, n, randomValues[float32](a, 5), in, counted); !(headLoss > 0) {
			t.Errorf("%+v: its loss is %v", h, headLoss)
		}
	}
}

func widen(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

// A training step keeps its memory: operations own their buffers.
func TestRunsDoNotGrowTheHeap(t *testing.T) {
	in := randomInputs[float32](small, 8, 6)
	net, err := NewTraining(small, 8, randomValues[float32](small, 5), options)
	if err != nil {
		t.Fatal(err)
	}
	heap := func(runs int) uint64 {
		for range runs {
			if err := net.Run(in); err != nil {
				t.Fatal(err)
			}
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap(20)
	if after := heap(200); after > before+before/4 {
		t.Errorf("heap grew from %d to %d bytes", before, after)
	}
}

func TestNewTrainingErrors(t *testing.T) {
	values := randomValues[float32](small, 1)
	wide := small
	wide.Channels = 20
	stock := options
	stock.Stock = true
	stockEval := options
	stockEval.Stock, stockEval.Eval = true, true
	for _, c := range []struct {
		name   string
		arch   Arch
		n      int
		values [][]float32
		o      Options
	}{
		{"board", Arch{H: 2, W: 5, Channels: 16, Hidden: 16}, 1, values, options},
		{"batch", small, 0, values, options},
		{"workers", small, 1, values, Options{}},
		{"missing parameter", small, 1, values[1:], options},
		{"parameter of another size", small, 1, append([][]float32{nil}, values[1:]...), options},
		{"channels", wide, 1, randomValues[float32](wide, 1), options},
		{"stock for evaluation", small, 1, values, stockEval},
		{"stock with auxiliary heads", full, 1, randomValues[float32](full, 1), stock},
	} {
		if _, err := NewTraining(c.arch, c.n, c.values, c.o); err == nil {
			t.Errorf("%s: no error", c.name)
		}
	}
}
