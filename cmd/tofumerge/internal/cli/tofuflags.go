package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/internal/load/diag"
)

// Long flags with a single dash, as tofu takes them. To the flag library each would be
// several short flags, or a short one with a value.

// takenFromTofu are the flags that are accepted with a single dash.
var takenFromTofu = []string{"chdir", "help", "json", "no-color", "var", "var-file", "version"}

// withTofuFlags returns arguments with two dashes before the flags that are taken from
// tofu. The error is about another long flag with a single dash.
func withTofuFlags(root *cobra.Command, args []string) ([]string, error) {
	known := knownFlags(root)
	list := slices.Clone(args)
	for i := 0; i < len(list); i++ {
		arg := list[i]
		name, rest := flagName(arg)
		isLong := strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && len(name) > 1
		f := known[name]
		switch {
		case arg == "--":
			return list, nil
		case isLong && slices.Contains(takenFromTofu, name):
			list[i] = "-" + arg
		case isLong && (f != nil || otherFlags[name] != ""):
			return nil, singleDash(name, rest)
		case isLong:
			f = lastOfCluster(known, name+rest)
		}
		if f != nil && rest == "" && f.NoOptDefVal == "" {
			i++ // the next one is its value
		}
	}
	return list, nil
}

// flagName splits an argument into the name of a flag, or "", and the rest from an equals sign on.
func flagName(arg string) (name, rest string) {
	if len(arg) < 2 || arg[0] != '-' {
		return "", ""
	}
	name = strings.TrimPrefix(arg[1:], "-")
	if at := strings.IndexByte(name, '='); at >= 0 {
		return name[:at], name[at:]
	}
	return name, ""
}

// lastOfCluster is the flag at the end of several short ones that are written together; nil if an
// earlier one takes the rest as its value.
func lastOfCluster(known map[string]*pflag.Flag, letters string) *pflag.Flag {
	for i := range len(letters) {
		f := known[letters[i:i+1]]
		if f == nil || f.NoOptDefVal == "" && i+1 < len(letters) {
			return nil
		}
		if i+1 == len(letters) {
			return f
		}
	}
	return nil
}

// knownFlags are the flags of all commands, by their names and letters.
func knownFlags(root *cobra.Command) map[string]*pflag.Flag {
	known := map[string]*pflag.Flag{}
	note := func(f *pflag.Flag) {
		known[f.Name] = f
		if f.Shorthand != "" {
			known[f.Shorthand] = f
		}
	}
	root.PersistentFlags().VisitAll(note)
	for _, cmd := range append(root.Commands(), root) {
		cmd.Flags().VisitAll(note)
	}
	return known
}

// singleDash is the error about a long flag with a single dash.
func singleDash(name, rest string) error {
	hint := otherFlags[name]
	if hint == "" {
		hint = "use --" + name
	}
	if flag, ok := strings.CutPrefix(hint, "use --"); ok && !strings.Contains(flag, " ") {
		hint += rest
	}
	return fmt.Errorf("unknown flag -%s; %s", diag.Escape(name+rest), diag.Escape(hint))
}
