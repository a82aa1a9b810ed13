package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"rampart/train"
)

// runCurriculum starts or resumes the curriculum in the folder; text is that of --curriculum, empty to take it as it is.
func runCurriculum(c *cobra.Command, flags *runFlags, folder train.Folder, text string) error {
	if err := flags.checkWorkers(); err != nil {
		return err
	}
	for _, name := range []string{"board", "walls", "generations", "games-from"} {
		if c.Flags().Changed(name) {
			return badInput(fmt.Errorf("--%s: a curriculum says by stage what the board, the walls and the generations are (see \"%s --help\")", name, c.CommandPath()))
		}
	}
	var stages []train.Config
	if text != "" {
		var err error
		if stages, err = train.ParseCurriculum(text, func(cfg *train.Config) error {
			_, err := flags.apply(c, cfg)
			return err
		}); err != nil {
			return badInput(fmt.Errorf("--curriculum: %w", err))
		}
		if flags.initFrom != "" { // of the first stage
			for i := range stages[1:] {
				stages[i+1].Origin.Net = ""
			}
		}
	}
	curriculum, err := train.OpenCurriculum(folder, stages)
	if err != nil {
		return unusable(folder, err)
	}
	if scratch := curriculum.Stages[0]; stages == nil {
		if changed, err := flags.apply(c, &scratch); changed || err != nil {
			return badInput(errors.Join(err, fmt.Errorf("the settings of a curriculum that has begun are those of its stages: change them with \"%s --dir %s\", for example",
				c.CommandPath(), curriculum.Folders()[0])))
		}
	}
	var last *train.Run
	err = curriculum.Each(c.Context(), func(ctx context.Context, r *train.Run) error {
		flags.setWorkers(r)
		last = r
		return work(c, r, func(ctx context.Context, r *train.Run) error { return r.Loop(ctx) })
	})
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(c.OutOrStdout(), "stopped; nothing but the games in flight is lost. Go on with: %s\n", resumeCommand(c, folder))
		return nil
	}
	if err != nil || last == nil {
		return unusable(folder, err)
	}
	return sayWhatNext(c, last)
}

// writeStatus tells how far the run in a folder is, or all stages of a curriculum that have begun.
func writeStatus(out io.Writer, folder train.Folder) error {
	if !folder.IsCurriculum() {
		s, err := folder.ReadStatus()
		if err != nil {
			return unusable(folder, err)
		}
		fmt.Fprint(out, s)
		return nil
	}
	curriculum, err := train.OpenCurriculum(folder, nil)
	if err != nil {
		return unusable(folder, err)
	}
	for i, dir := range curriculum.Folders() {
		s, err := dir.ReadStatus()
		switch {
		case errors.Is(err, train.ErrNoRun):
			fmt.Fprintf(out, "stage %d, %s with %d walls: not begun\n", i+1, curriculum.Stages[i].Board, curriculum.Stages[i].Walls)
		case err != nil:
			return unusable(dir, err)
		default:
			fmt.Fprintf(out, "stage %d, %s\n%s", i+1, dir, s)
		}
	}
	return nil
}
