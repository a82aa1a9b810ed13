package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// refuseEmpty refuses flags that were given an empty text, as an unset variable of a shell gives one: none has a meaning without.
func refuseEmpty(c *cobra.Command, _ []string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		switch list, isList := f.Value.(pflag.SliceValue); {
		case isList:
			values = list.GetSlice()
		case f.Value.Type() != "string":
			return
		}
		if err == nil && slices.Contains(values, "") {
			err = badInput(fmt.Errorf("--%s is empty: give it a value or leave it out (see \"%s --help\")", f.Name, c.CommandPath()))
		}
	})
	return err
}
