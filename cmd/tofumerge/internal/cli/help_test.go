package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// helpOf is what help prints about words.
func helpOf(t *testing.T, words ...string) string {
	t.Helper()
	var out bytes.Buffer
	if status := Run(append([]string{"help"}, words...), Streams{Out: &out, Err: os.Stderr, Env: func(string) string { return "" }}); status != ExitOK {
		t.Fatalf("help %v has status %d", words, status)
	}
	return out.String()
}

// eachCommand visits the commands that help lists.
func eachCommand(visit func(cmd *cobra.Command)) {
	var below func(cmd *cobra.Command)
	below = func(cmd *cobra.Command) {
		visit(cmd)
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				below(c)
			}
		}
	}
	below((&app{ws: &workspace.Workspace{Console: terminal.Silent(nil, os.Getenv)}}).rootCommand())
}

// TestHelpFits fails if a line of help exceeds 80 columns, a command has more than two lines of
// text before its examples, or a flag more than 60 columns.
func TestHelpFits(t *testing.T) {
	isNarrow := func(what, text string) {
		for line := range strings.Lines(text) {
			if n := screen.Columns(strings.TrimSuffix(line, "\n")); n > screen.DefaultWidth {
				t.Errorf("help %s has %d columns in: %s", what, n, line)
			}
		}
	}
	eachCommand(func(cmd *cobra.Command) {
		words := strings.Fields(cmd.CommandPath())[1:]
		isNarrow(cmd.CommandPath(), helpOf(t, words...))
		intro, _ := introOf(cmd)
		if n := strings.Count(screen.Wrap(strings.ReplaceAll(intro, "\n", " "), screen.DefaultWidth, ""), "\n"); n > 1 {
			t.Errorf("%s is described in %d lines", cmd.CommandPath(), n+1)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if _, usage := pflag.UnquoteUsage(f); screen.Columns(usage) > 60 {
				t.Errorf("%s --%s: more than 60 columns: %s", cmd.CommandPath(), f.Name, usage)
			}
		})
	})
	for _, topic := range topics {
		if topic.name == "rules" {
			continue // a table, whose lines programs may read
		}
		isNarrow(topic.name, helpOf(t, topic.name))
	}
}

// TestHelpOnNarrowScreens fails if a list is wider than the screen. With little room beside it, the
// purpose of a flag is written below.
func TestHelpOnNarrowScreens(t *testing.T) {
	s := screen.Screen{Width: 40}
	eachCommand(func(cmd *cobra.Command) {
		for line := range strings.Lines(flagLines(ownFlags(cmd), s) + commandList(cmd, s)) {
			if n := screen.Columns(strings.TrimSuffix(line, "\n")); n > s.Width {
				t.Errorf("%s has %d columns in: %s", cmd.CommandPath(), n, line)
			}
		}
	})
}

// TestHelpOfRules fails if a rule's page is not embedded.
func TestHelpOfRules(t *testing.T) {
	for _, r := range check.Rules {
		if text := helpOf(t, r.ID); !strings.HasPrefix(text, r.ID+"\n\n") || strings.Contains(text, "```") || strings.Contains(text, "](") {
			t.Errorf("help %s prints %q", r.ID, text)
		}
	}
}
