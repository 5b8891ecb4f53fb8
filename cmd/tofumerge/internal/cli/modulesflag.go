package cli

import (
	"errors"

	"github.com/spf13/pflag"
)

// modulesFlag adds --modules to a command.
func modulesFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "modules", false, "follow module calls, as far as init has installed them")
}

// settleForCalls judges the flags of a search where calls are followed instead.
func (s *search) settleForCalls() error {
	if s.recursive {
		return errors.New("-r finds modules by their directories and --modules by calls; use only one of them")
	}
	return s.settle()
}
