package cli

import (
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// searchFlags adds those of a search to a command.
func searchFlags(s *workspace.Search, flags *pflag.FlagSet, recursive string) {
	flags.BoolVarP(&s.Recursive, "recursive", "r", false, recursive)
	flags.StringArrayVar(&s.Exclude, "exclude", nil, "with -r, skip directories that `GLOB` matches; repeatable")
}

// modulesFlag adds --modules to a command.
func modulesFlag(flags *pflag.FlagSet, to *bool) {
	flags.BoolVar(to, "modules", false, "follow module calls, as far as init has installed them")
}
