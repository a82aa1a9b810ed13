package train

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"rampart/internal/durable"
	"rampart/internal/guard"
	"rampart/internal/usage"
)

// Errors with which the supervisor stops a run. What was recorded stays, and the run can be resumed.
var (
	// ErrStalled is returned when a stage made no progress for too long.
	ErrStalled = errors.New("no progress")
	// ErrSpace is returned when the disk is nearly full.
	ErrSpace = errors.New("too little free disk")
	// ErrMemory is returned when the process takes more memory than it may.
	ErrMemory = errors.New("too much memory")
)

// SupervisorConfig holds the limits that a run watches over.
type SupervisorConfig struct {
	Stall     string `toml:"stall" comment:"a stage that makes no progress for this long stops the run with its reason, as in 10m; 0s for never"`
	MinFree   int    `toml:"min_free" comment:"MiB of disk that stay free: the run stops before it uses them. 0 for no such limit"`
	MaxMemory int    `toml:"max_memory" comment:"MiB of memory at which the run stops. 0 for no limit"`
}

// DefaultSupervisorConfig returns the limits of runs that set none.
func DefaultSupervisorConfig() SupervisorConfig { return SupervisorConfig{Stall: "10m", MinFree: 256} }

// Validate returns an error that names the setting that is out of range.
func (c SupervisorConfig) Validate() error {
	stall, err := time.ParseDuration(c.Stall)
	switch {
	case err != nil:
		return fmt.Errorf("supervisor.stall %q: must be a time as in 10m or 1h30m, or 0s", c.Stall)
	case stall != 0 && stall < time.Minute:
		return fmt.Errorf("supervisor.stall %q: must be a minute or more, or 0s for never", c.Stall)
	case c.MinFree < 0 || c.MaxMemory < 0:
		return errors.New("supervisor.min_free and max_memory must be 0 or more")
	}
	return nil
}

// How often the supervisor looks, how many of its looks go by between two measurements in metrics.jsonl, and how many a stage has to stop after it was
// told to. Time is counted in looks, so that a process that was stopped or slept has not stalled.
const (
	lookEvery    = 10 * time.Second
	looksMeasure = 30
	looksGrace   = 6
)

// system is what the supervisor asks of the world outside; tests put their own in its place.
type system struct {
	now  func() time.Time
	tick func(time.Duration) (ticks <-chan time.Time, stop func())
	use  func(folder string) usage.Usage
}

func realSystem() system {
	return system{
		now: time.Now,
		tick: func(d time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(d)
			return t.C, t.Stop
		},
		use: usage.Measure,
	}
}

// supervise does a stage and stops it if it panics, stalls, or takes more than it may. The reason is written to metrics.jsonl.
func (r *Run) supervise(ctx context.Context, stage Stage, generation int, do func(context.Context) error) error {
	err := r.checkUse(r.system.use(string(r.Folder)))
	if err == nil {
		err = r.watch(ctx, generation, do)
	}
	if err == nil {
		return r.measureUse(generation)
	}
	var panicked *guard.Panic
	if errors.As(err, &panicked) {
		err = errors.Join(fmt.Errorf("%s of generation %d: %w (see %s; what was recorded is safe, the same command goes on)", stage, generation, err, r.Folder.stacksPath()),
			r.writeStacks(panicked.Stack))
	}
	if errors.Is(err, context.Canceled) || durable.IsFull(err) {
		return err
	}
	return errors.Join(err, r.metrics.append(metric{Time: r.system.now().UTC(), Event: "stopped", Generation: generation, Value: stopped{stage, err.Error()}}))
}

// stopped is the value of the metric of a stage that did not end well.
type stopped struct {
	Stage  Stage  `json:"stage"`
	Reason string `json:"reason"`
}

// watch does the stage in a goroutine of its own and looks at it now and then.
func (r *Run) watch(ctx context.Context, generation int, do func(context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	done := make(chan error, 1)
	go func() { done <- guard.Run(func() error { return do(ctx) }) }()
	ticks, end := r.system.tick(lookEvery)
	defer end()
	limit := r.Config.Supervisor.looks()
	var halt error // why the stage was told to stop
	idle, looks, last := 0, 0, r.pulse.Load()
	for {
		select {
		case err := <-done:
			if halt != nil && (err == nil || errors.Is(err, context.Canceled)) {
				err = halt
			}
			return err
		case <-ticks:
		}
		looks++
		if now := r.pulse.Load(); now != last || r.patient.Load() {
			idle, last = 0, now
		} else {
			idle++
		}
		switch {
		case halt != nil:
			if idle > limit+looksGrace && limit > 0 {
				r.abandoned = true
				return fmt.Errorf("%w; the stage does not stop either", halt)
			}
			continue
		case limit > 0 && idle >= limit:
			halt = fmt.Errorf("%w for %s (supervisor.stall; see %s; what was recorded is safe, the same command goes on)", ErrStalled, r.Config.Supervisor.Stall, r.Folder.stacksPath())
			if err := r.writeStacks(allStacks()); err != nil {
				halt = errors.Join(halt, err)
			}
		default:
			use := r.system.use(string(r.Folder))
			halt = r.checkUse(use)
			if halt == nil && looks%looksMeasure == 0 {
				halt = r.noteUse(generation, use)
			}
		}
		if halt != nil {
			stop(halt)
		}
	}
}

// looks returns after how many looks without progress a stage has stalled, 0 for never.
func (c SupervisorConfig) looks() int {
	stall, _ := time.ParseDuration(c.Stall) // Validate has seen it
	return int((stall + lookEvery - 1) / lookEvery)
}

// checkUse compares what the process takes with its limits.
func (r *Run) checkUse(u usage.Usage) error {
	c := r.Config.Supervisor
	if c.MinFree > 0 && u.Free >= 0 && u.Free < int64(c.MinFree)<<20 {
		return fmt.Errorf("%w: %d MiB are left for %s, %d are to stay free (supervisor.min_free); make room, the same command goes on", ErrSpace, u.Free>>20, string(r.Folder), c.MinFree)
	}
	if c.MaxMemory > 0 && u.Resident > int64(c.MaxMemory)<<20 {
		return fmt.Errorf("%w: the process takes %d MiB, supervisor.max_memory is %d; the same command goes on", ErrMemory, u.Resident>>20, c.MaxMemory)
	}
	return nil
}

// measureUse notes what the process takes after a stage.
func (r *Run) measureUse(generation int) error {
	return r.noteUse(generation, r.system.use(string(r.Folder)))
}

func (r *Run) noteUse(generation int, u usage.Usage) error {
	return r.metrics.append(metric{Time: r.system.now().UTC(), Event: "usage", Generation: generation, Value: u})
}

// patiently does something that has no progress to show and must not be taken for a stall.
func (r *Run) patiently(f func() error) error {
	r.patient.Store(true)
	defer r.patient.Store(false)
	return f()
}

// writeStacks keeps what the goroutines were doing for whoever looks into it.
func (r *Run) writeStacks(stacks []byte) error {
	return durable.WriteFile(r.Folder.stacksPath(), append([]byte(r.system.now().UTC().Format(time.RFC3339)+"\n\n"), stacks...))
}

func allStacks() []byte {
	stacks := make([]byte, 1<<20)
	return stacks[:runtime.Stack(stacks, true)]
}

// alarm tells of something that does not stop the run but should be looked at.
func (r *Run) alarm(generation int, format string, args ...any) error {
	text := strings.TrimSpace(fmt.Sprintf(format, args...))
	r.warn(errors.New(text))
	return r.metrics.append(metric{Time: r.system.now().UTC(), Event: "alarm", Generation: generation, Value: text})
}
