package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"rampart/solver"
)

// solveTable solves the boards of the published table, prints a line for each and at the end the table as it was found, and fails
// if a cell differs from what was published. What takes too much time or memory is marked "?".
func (f *solveFlags) solveTable(ctx context.Context, out, log io.Writer, opt solver.Options) error {
	rows, err := f.rows()
	if err != nil {
		return err
	}
	opt.Checkpoint = ""
	var grid strings.Builder
	differ := 0
	fmt.Fprintln(out, "| board | walls | winner | plies | positions | seconds | published |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|")
	for _, row := range rows {
		fmt.Fprintf(&grid, "%dx%d ", row.W, row.H)
		for n := range len(row.Cells) {
			letter, err := f.solveCell(ctx, out, log, row, n, opt)
			if err != nil {
				return solveFailure(err, "")
			}
			grid.WriteByte(letter)
			if published := row.Cells[n]; letter != '?' && published != '?' && letter != published {
				differ++
			}
		}
		grid.WriteByte('\n')
	}
	fmt.Fprintf(out, "\n%s", grid.String())
	if differ > 0 {
		return fmt.Errorf("%d cells differ from the published table", differ)
	}
	return nil
}

// rows returns the rows of the published table that --sizes asks for.
func (f *solveFlags) rows() ([]solver.Published, error) {
	all := solver.PublishedTable()
	if f.sizes == "" {
		return all, nil
	}
	var rows []solver.Published
	for name := range strings.SplitSeq(f.sizes, ",") {
		i := slices.IndexFunc(all, func(p solver.Published) bool { return fmt.Sprintf("%dx%d", p.W, p.H) == strings.TrimSpace(name) })
		if i < 0 {
			return nil, badInput(fmt.Errorf("--sizes: %q is not a size of the published table", name))
		}
		rows = append(rows, all[i])
	}
	return rows, nil
}

// solveCell solves one cell and returns its letter, '?' if time or memory ran out.
func (f *solveFlags) solveCell(ctx context.Context, out, log io.Writer, row solver.Published, n int, opt solver.Options) (byte, error) {
	b, err := row.Board(n)
	if err != nil {
		return 0, err
	}
	var last solver.Progress
	opt.Progress = func(p solver.Progress) {
		if !f.quiet && p.Elapsed > 2*time.Second {
			fmt.Fprintf(log, "%s: %s\n", b, progressLine(p))
		}
		last = p
	}
	s, err := solver.New(b, opt)
	if err != nil {
		return 0, badInput(err)
	}
	limited, cancel := context.WithTimeout(ctx, f.time)
	defer cancel()
	v, err := s.Value(limited, b.Start())
	letter, plies := byte('?'), "-"
	switch {
	case err == nil:
		letter, plies = v.Letter(), fmt.Sprint(v.Plies)
	case ctx.Err() != nil || !errors.Is(err, solver.ErrMemory) && !errors.Is(err, context.DeadlineExceeded):
		return 0, err
	}
	fmt.Fprintf(out, "| %dx%d | %d | %c | %s | %d | %.2f | %c |\n", row.W, row.H, n, letter, plies, last.Positions, last.Elapsed.Seconds(), row.Cells[n])
	return letter, nil
}
