package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// replaceFlag allows a command to replace the files that it is to make.
type replaceFlag struct{ given bool }

func (f *replaceFlag) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.given, "force", false, "replace files that exist")
}

// check refuses files that exist unless the flag was given.
func (f *replaceFlag) check(paths ...string) error {
	var there []string
	for _, path := range paths {
		if exists(path) {
			there = append(there, path)
		}
	}
	if len(there) > 0 && !f.given {
		return badInput(fmt.Errorf("already there: %s; choose another name, or replace what is there with --force", strings.Join(there, ", ")))
	}
	return nil
}
