package command

import (
	"errors"
	"strings"

	"github.com/spf13/pflag"
)

// A listFlag is the value of a flag that takes several names, with commas between them or in
// several flags. None of the names contains a comma.
type listFlag struct{ list *[]string }

// ErrEmptyName is the error about a comma without a name on one side.
var ErrEmptyName = errors.New("a comma has nothing beside it")

// listVar defines such a flag.
func listVar(flags *pflag.FlagSet, list *[]string, name, usage string) {
	flags.Var(listFlag{list}, name, usage)
}

func (l listFlag) String() string { return strings.Join(*l.list, ",") }
func (l listFlag) Type() string   { return "list" }

func (l listFlag) Set(text string) error {
	names := strings.Split(text, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
		if names[i] == "" && len(names) > 1 {
			return ErrEmptyName
		}
	}
	*l.list = append(*l.list, names...)
	return nil
}
