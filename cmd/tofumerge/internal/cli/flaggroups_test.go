package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestFlagGroups fails if a group names a flag that no command takes, or one whose letter is
// another one.
func TestFlagGroups(t *testing.T) {
	var root *cobra.Command
	eachCommand(func(cmd *cobra.Command) { root = cmd.Root() })
	known := knownFlags(root)
	for _, g := range flagGroups {
		for _, f := range g.flags {
			if f.name == "" {
				continue
			}
			flag := known[f.name]
			if flag == nil || commandsTaking(root, f.name) == "" {
				t.Fatalf("no command takes --%s", f.name)
			}
			if letter, _, hasLetter := strings.Cut(f.written, ", "); hasLetter != (flag.Shorthand != "") || hasLetter && letter != "-"+flag.Shorthand {
				t.Errorf("%s: the letter of --%s is %q", g.name, f.name, flag.Shorthand)
			}
		}
	}
}

// TestGuesses fails if a guess is a flag or a command, and its answer is never given.
func TestGuesses(t *testing.T) {
	known := map[string]bool{}
	eachCommand(func(cmd *cobra.Command) {
		known[cmd.Name()] = true
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			for _, name := range []string{"--" + f.Name, "-" + f.Shorthand} {
				known[name], known[cmd.Name()+":"+name] = true, true
			}
		})
	})
	for _, g := range guesses {
		for typed := range strings.FieldsSeq(g.typed) {
			if known[typed] {
				t.Errorf("%s has a meaning, or two answers", typed)
			}
			known[typed] = true
		}
	}
}

// TestHelpNamesSharedFlags fails if the help of a command neither lists a flag nor names it with
// its group, or does both.
func TestHelpNamesSharedFlags(t *testing.T) {
	eachCommand(func(cmd *cobra.Command) {
		help := helpOf(t, strings.Fields(cmd.CommandPath())[1:]...)
		own, shared, _ := strings.Cut(help, "\nShared flags:\n")
		shared, _, _ = strings.Cut(shared, "\n\n")
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			inOwn := strings.Contains(own, "    --"+f.Name) || f.Shorthand != "" && strings.Contains(own, "  -"+f.Shorthand+", --"+f.Name)
			inShared := slices.Contains(strings.Fields(shared), strings.Fields(asTyped(f))[0])
			isOfRender := !cmd.HasParent() && f.Name != "version" && !isInGroup(f.Name) && f.Name != "help"
			if want := !f.Hidden && !isOfRender; (inOwn || inShared) != want || inOwn && inShared {
				t.Errorf("%s --%s: its own: %v, shared: %v", cmd.CommandPath(), f.Name, inOwn, inShared)
			}
		})
	})
}

// TestFlagsAreFew fails if the commands that existed when the groups were made have more separate
// flags than people can learn. A flag that belongs to a group is described once. Commands
// that are not listed came later; they are left out.
func TestFlagsAreFew(t *testing.T) {
	const most = 40
	commands := []string{"changes", "check", "diff", "explain", "flatten", "list", "lsp", "render", "report", "tofumerge", "version"}
	var names []string
	eachCommand(func(cmd *cobra.Command) {
		undescribed(cmd, ownFlags(cmd)).VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !f.Hidden && slices.Contains(commands, cmd.Name()) {
				names = append(names, cmd.Name()+" --"+f.Name)
			}
		})
	})
	if len(names) == 0 || len(names) > most {
		t.Errorf("%d flags, want at most %d: %s", len(names), most, strings.Join(names, ", "))
	}
}
