package cli

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// withTofuFlags looks at the flags of all commands at once, so a name must take a value in
// all or in none of them.
func TestFlagsTakeValuesAlike(t *testing.T) {
	takes := map[string]bool{}
	note := func(f *pflag.Flag) {
		for _, name := range []string{f.Name, f.Shorthand} {
			takesValue := f.NoOptDefVal == ""
			if before, known := takes[name]; known && name != "" && before != takesValue {
				t.Errorf("the flag %s takes a value in one command and none in another", name)
			}
			takes[name] = takesValue
		}
	}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(note)
		for _, c := range cmd.Commands() {
			visit(c)
		}
	}
	visit((&app{ws: &workspace.Workspace{Console: terminal.Silent(nil, os.Getenv)}}).rootCommand())
}

func TestWithTofuFlags(t *testing.T) {
	root := (&app{ws: &workspace.Workspace{Console: terminal.Silent(nil, os.Getenv)}}).rootCommand()
	for _, test := range []struct {
		why        string
		args, want []string // want is nil where they are refused
	}{
		{"a flag of tofu", []string{"-json", "list"}, []string{"--json", "list"}},
		{"one with a value", []string{"-chdir=a=b"}, []string{"--chdir=a=b"}},
		{"a value that looks like one", []string{"-o", "-json"}, []string{"-o", "-json"}},
		{"a value behind several letters", []string{"-vo", "-json"}, []string{"-vo", "-json"}},
		{"a value that is written with its letter", []string{"-ovo", "-json"}, []string{"-ovo", "--json"}},
		{"a value behind a long flag", []string{"--filter", "-help"}, []string{"--filter", "-help"}},
		{"a value with an equals sign", []string{"--filter=a", "-help"}, []string{"--filter=a", "--help"}},
		{"a value behind a flag of tofu", []string{"-chdir", "-json", "-json"}, []string{"--chdir", "-json", "--json"}},
		{"behind two dashes are arguments", []string{"--", "-json"}, []string{"--", "-json"}},
		{"standard input", []string{"--overlay", "-", "-json"}, []string{"--overlay", "-", "--json"}},
		{"a short flag", []string{"-q", "-json"}, []string{"-q", "--json"}},
		{"a long flag of one's own", []string{"-redact"}, nil},
		{"a long flag that starts with a short one", []string{"-overlay=x"}, nil},
	} {
		got, err := withTofuFlags(root, slices.Clone(test.args))
		if (err != nil) != (test.want == nil) {
			t.Errorf("%s: the error is %v", test.why, err)
		} else if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.why, diff)
		}
	}
}
