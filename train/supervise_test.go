package train

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"rampart/data"
	"rampart/internal/guard"
	"rampart/internal/usage"
	"rampart/nn"
	"rampart/quoridor"
)

// fakeSystem is a world whose clock, ticks and resources the test decides.
type fakeSystem struct {
	time  time.Time
	ticks chan time.Time
	usage usage.Usage
}

func newFakeSystem() *fakeSystem {
	return &fakeSystem{time: time.Unix(1e9, 0), ticks: make(chan time.Time), usage: usage.Usage{Free: 1 << 40, Resident: 1 << 20}}
}

func (f *fakeSystem) system() system {
	return system{
		now:  func() time.Time { return f.time },
		tick: func(time.Duration) (<-chan time.Time, func()) { return f.ticks, func() {} },
		use:  func(string) usage.Usage { return f.usage },
	}
}

// look lets the supervisor look n times.
func (f *fakeSystem) look(n int) {
	for range n {
		f.ticks <- f.time
	}
}

// lookUntil lets the supervisor look until it returns, and tells how often it did.
func (f *fakeSystem) lookUntil(done <-chan error) (looks int, err error) {
	for {
		select {
		case f.ticks <- f.time:
			looks++
		case err := <-done:
			return looks, err
		}
	}
}

// openWith opens a run in a world of the test's.
func openWith(t *testing.T, dir string, f *fakeSystem, c *Config) *Run {
	t.Helper()
	lock, err := Folder(dir).take()
	if err != nil {
		t.Fatal(err)
	}
	r, err := open(Folder(dir), c, lock, f.system())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func metricsOf(t *testing.T, r *Run) string {
	t.Helper()
	text, err := os.ReadFile(r.Folder.metricsPath())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestStallStops: a stage that gives no sign of life is told to stop, with the reason in metrics.jsonl and the goroutines in stacks.txt.
func TestStallStops(t *testing.T) {
	f, c := newFakeSystem(), tinyConfig()
	c.Supervisor.Stall = "1m"
	r := openWith(t, t.TempDir(), f, &c)
	defer r.Close()
	stalled := make(chan error, 1)
	go func() {
		stalled <- r.supervise(context.Background(), StageTrain, 3, func(ctx context.Context) error {
			r.progress(Progress{})
			<-ctx.Done()
			return ctx.Err()
		})
	}()
	looks, err := f.lookUntil(stalled)
	if looks < 6 || !errors.Is(err, ErrStalled) || !strings.Contains(err.Error(), "1m") { // six looks make a minute
		t.Fatalf("error %v after %d looks", err, looks)
	}
	if text := metricsOf(t, r); !strings.Contains(text, `"event":"stopped"`) || !strings.Contains(text, "no progress for 1m") || !strings.Contains(text, `"stage":"train"`) {
		t.Errorf("metrics:\n%s", text)
	}
	if stacks, err := os.ReadFile(r.Folder.stacksPath()); err != nil || !strings.Contains(string(stacks), "TestStallStops") {
		t.Errorf("stacks %.200q, %v", stacks, err)
	}
}

// TestStallOfADeafStage: a stage that does not stop when told to is left behind.
func TestStallOfADeafStage(t *testing.T) {
	f, c := newFakeSystem(), tinyConfig()
	c.Supervisor.Stall = "1m"
	r := openWith(t, t.TempDir(), f, &c)
	release, ended, stalled := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		stalled <- r.supervise(context.Background(), StageTrain, 3, func(context.Context) error {
			defer close(ended)
			<-release
			return nil
		})
	}()
	looks, err := f.lookUntil(stalled)
	if looks != 6+looksGrace+1 || !errors.Is(err, ErrStalled) || !strings.Contains(err.Error(), "does not stop") || !r.abandoned {
		t.Errorf("error %v after %d looks", err, looks)
	}
	close(release)
	<-ended
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestProgressIsNoStall: signs of life, and work that has none to give, keep a stage going for as long as it takes.
func TestProgressIsNoStall(t *testing.T) {
	f, c := newFakeSystem(), tinyConfig()
	c.Supervisor.Stall = "1m"
	r := openWith(t, t.TempDir(), f, &c)
	defer r.Close()
	result := make(chan error, 1)
	step := make(chan struct{})
	go func() {
		result <- r.supervise(context.Background(), StageTrain, 3, func(context.Context) error {
			for range 5 {
				<-step
				r.progress(Progress{})
				step <- struct{}{}
			}
			return r.patiently(func() error { <-step; return nil })
		})
	}()
	for range 5 {
		step <- struct{}{}
		<-step
		f.look(5)
	}
	for !r.patient.Load() { // the stage has nothing else left to do
	}
	f.look(50)
	close(step)
	if err := <-result; err != nil {
		t.Errorf("error %v", err)
	}
	if n := strings.Count(metricsOf(t, r), `"event":"usage"`); n != 1+75/looksMeasure {
		t.Errorf("%d measurements", n)
	}
}

// TestPanicStops: a panic in a stage, or in a goroutine of self-play, ends the run with its reason and without losing what was recorded.
func TestPanicStops(t *testing.T) {
	f, c := newFakeSystem(), tinyConfig()
	r := openWith(t, t.TempDir(), f, &c)
	defer r.Close()
	err := r.supervise(context.Background(), StageGate, 2, func(context.Context) error { panic("a bad day") })
	if p := new(guard.Panic); !errors.As(err, &p) || !strings.Contains(err.Error(), "gate of generation 2: panic: a bad day") {
		t.Errorf("error %v", err)
	}
	if text := metricsOf(t, r); !strings.Contains(text, "a bad day") {
		t.Errorf("metrics:\n%s", text)
	}
	if stacks, err := os.ReadFile(r.Folder.stacksPath()); err != nil || !strings.Contains(string(stacks), "TestPanicStops") {
		t.Errorf("stacks %.200q, %v", stacks, err)
	}
	games := 0
	r.Observer.Progress = func(p Progress) {
		if games = p.Done; games == 100 {
			panic("in the middle")
		}
	}
	if err := r.Do(context.Background(), StageSelfPlay); !strings.Contains(err.Error(), "in the middle") {
		t.Errorf("error %v", err)
	}
	r.Observer.Progress = nil
	if err := r.Do(context.Background(), StageSelfPlay); err != nil {
		t.Fatal(err)
	}
	verifyShards(t, string(r.Folder), 1, 140)
}

// TestLimits: too little disk or too much memory stops a stage before it begins and while it is at work; nothing is written then, and the run goes on
// when there is room again.
func TestLimits(t *testing.T) {
	for _, l := range []struct {
		name  string
		limit func(*SupervisorConfig)
		use   func(*usage.Usage)
		want  error
	}{
		{"disk", func(c *SupervisorConfig) { c.MinFree = 100 }, func(u *usage.Usage) { u.Free = 99 << 20 }, ErrSpace},
		{"memory", func(c *SupervisorConfig) { c.MaxMemory = 100 }, func(u *usage.Usage) { u.Resident = 101 << 20 }, ErrMemory},
	} {
		t.Run(l.name, func(t *testing.T) {
			f, c := newFakeSystem(), tinyConfig()
			l.limit(&c.Supervisor)
			dir := t.TempDir()
			r := openWith(t, dir, f, &c)
			r.Workers = 2 // more would have all games of the stage played before it is told to stop
			good := f.usage
			l.use(&f.usage)
			if err := r.Do(context.Background(), StageSelfPlay); !errors.Is(err, l.want) || exists(data.ShardPath(r.Folder.gamesDir(), 1)+data.OpenSuffix) {
				t.Errorf("error %v", err)
			}
			f.usage = good
			r.Observer.Progress = func(p Progress) {
				if p.Done == 100 {
					l.use(&f.usage)
					f.look(2) // the second is taken when the first has told the stage to stop
				}
			}
			if err := r.Do(context.Background(), StageSelfPlay); !errors.Is(err, l.want) {
				t.Errorf("error %v", err)
			}
			f.usage = good
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			r = openWith(t, dir, f, nil)
			defer r.Close()
			if err := r.Do(context.Background(), StageSelfPlay); err != nil {
				t.Fatal(err)
			}
			verifyShards(t, dir, 1, 140)
			if text := metricsOf(t, r); strings.Count(text, `"event":"stopped"`) != 2 {
				t.Errorf("metrics:\n%s", text)
			}
		})
	}
	f, c := newFakeSystem(), tinyConfig()
	c.Supervisor.MinFree = 100
	f.usage.Free = 1
	lock, err := Folder(t.TempDir()).take()
	if err != nil {
		t.Fatal(err)
	}
	if r, err := open(Folder(t.TempDir()), &c, lock, f.system()); !errors.Is(err, ErrSpace) || r != nil {
		t.Errorf("a run begins on a full disk: %v", err)
	}
}

// TestNaNStops: a training step that is not finite stops the run by name, and leaves no checkpoint and no model behind.
func TestNaNStops(t *testing.T) {
	f, c := newFakeSystem(), tinyConfig()
	c.Trainer.LearningRate, c.Trainer.FinalRate, c.Trainer.WarmUp = 1, 1, 0
	r := openWith(t, t.TempDir(), f, &c)
	defer r.Close()
	if err := r.Do(context.Background(), StageSelfPlay); err != nil {
		t.Fatal(err)
	}
	if again, err := r.loadLearner(1); again || err != nil {
		t.Fatal(err)
	}
	for _, tensor := range r.learner.trainer.Weights().Tensors() {
		tensor.Data[0] = float32(math.NaN())
	}
	err := r.Do(context.Background(), StageTrain)
	if !errors.Is(err, nn.ErrDiverged) || !strings.Contains(err.Error(), "training step 1") {
		t.Errorf("error %v", err)
	}
	if exists(r.Folder.ckptPath(1)) || exists(r.Folder.modelPath(1)) {
		t.Error("a checkpoint or a model was written")
	}
	if text := metricsOf(t, r); !strings.Contains(text, `"event":"stopped"`) {
		t.Errorf("metrics:\n%s", text)
	}
	if err := r.Do(context.Background(), StageTrain); err != nil {
		t.Errorf("the stage does not begin again from the last good state: %v", err)
	}
}

// TestPolicyAlarms: policies that have collapsed to one move, or say nothing, raise an alarm from the fourth generation on.
func TestPolicyAlarms(t *testing.T) {
	f, c := newFakeSystem(), tinyConfig()
	r := openWith(t, t.TempDir(), f, &c)
	defer r.Close()
	r.champion.Generation = 1
	game := func(policy ...data.Prob) *data.Game {
		return &data.Game{Searches: []data.Search{{Policy: policy}, {Policy: []data.Prob{{Move: 1, P: data.ProbSum}}}}}
	}
	peaked := game(data.Prob{Move: 1, P: data.ProbSum - 1}, data.Prob{Move: 2, P: 1})
	flat := game(data.Prob{Move: 1, P: data.ProbSum / 2}, data.Prob{Move: 2, P: data.ProbSum - data.ProbSum/2})
	healthy := game(data.Prob{Move: 1, P: data.ProbSum / 4}, data.Prob{Move: 2, P: data.ProbSum - data.ProbSum/4})
	for _, a := range []struct {
		game       *data.Game
		generation int
		want       string
	}{
		{peaked, 4, "collapsed to one move"}, {flat, 4, "flat"}, {healthy, 4, ""}, {peaked, 3, ""}, {flat, 3, ""},
	} {
		var policies policyTally
		policies.add(a.game)
		var warnings []string
		r.Observer.Warning = func(err error) { warnings = append(warnings, err.Error()) }
		if err := r.alarms(a.generation, SelfPlayReport{Games: 1}, policies); err != nil {
			t.Fatal(err)
		}
		if a.want == "" && len(warnings) > 0 || a.want != "" && (len(warnings) != 1 || !strings.Contains(warnings[0], a.want)) {
			t.Errorf("generation %d: warnings %q, want %q", a.generation, warnings, a.want)
		}
	}
	if text := metricsOf(t, r); strings.Count(text, `"event":"alarm"`) != 2 {
		t.Errorf("metrics:\n%s", text)
	}
}

// TestClockMoves: games, networks and decisions do not depend on the clock, which jumps between the years 1970 and 2100 here, or stands still.
func TestClockMoves(t *testing.T) {
	plain := t.TempDir()
	loop(t, plain, 2)
	want := fingerprint(t, plain)
	for name, move := range map[string]func(*fakeSystem){
		"jumps":  func(f *fakeSystem) { f.time = time.Unix(4102444800-f.time.Unix(), 0) },
		"stands": func(*fakeSystem) {},
		"back":   func(f *fakeSystem) { f.time = f.time.Add(-time.Hour) },
	} {
		f, c, dir := newFakeSystem(), tinyConfig(), t.TempDir()
		r := openWith(t, dir, f, &c)
		r.Workers = 2
		r.Observer.Progress = func(Progress) { move(f) }
		if err := errors.Join(r.Loop(context.Background()), r.Close()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		t.Log(name)
		compare(t, fingerprint(t, dir), want)
	}
}

func TestSupervisorConfig(t *testing.T) {
	for text, ok := range map[string]bool{"10m": true, "1h30m": true, "0s": true, "0": true, "": false, "10": false, "30s": false, "-1m": false} {
		if err := (SupervisorConfig{Stall: text}).Validate(); (err == nil) != ok {
			t.Errorf("%q: error %v", text, err)
		}
	}
	if looks := DefaultSupervisorConfig().looks(); looks == 0 || time.Duration(looks)*lookEvery > 15*time.Minute {
		t.Errorf("by default a stage that stands still is stopped after %d looks", looks)
	}
	if (SupervisorConfig{Stall: "0s", MinFree: -1}).Validate() == nil || (RetentionConfig{MiB: -1}).Validate() == nil {
		t.Error("negative limits pass")
	}
	c := Preset(quoridor.MustBoard(5, 5, 2))
	c.Supervisor.Stall = "soon"
	if err := c.Validate(); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "supervisor.stall") {
		t.Errorf("error %v", err)
	}
}
