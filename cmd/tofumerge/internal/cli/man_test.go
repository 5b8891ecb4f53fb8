package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// The manual pages contain the complete help: descriptions, flags with their defaults, examples.
// Programs that print them, if installed, agree.
func TestManPages(t *testing.T) {
	dir := t.TempDir()
	writePages(t, dir)
	print := manPrinter(t)
	a := &app{ws: &workspace.Workspace{Console: terminal.Silent(nil, os.Getenv)}}
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		source, err := os.ReadFile(filepath.Join(dir, pageOf(cmd)+".1"))
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"the source": plainRoff(string(source)), "what is printed": print(source)} {
			if text == "" {
				continue
			}
			for _, want := range sayings(cmd) {
				if !strings.Contains(blanksJoined(text), blanksJoined(want)) {
					t.Errorf("%s: %s lacks %q", pageOf(cmd), name, want)
				}
			}
		}
		for _, c := range paged(cmd) {
			visit(c)
		}
	}
	visit(a.rootCommand())
}

// writePages writes the pages into a directory, as of some day in 2023.
func writePages(t *testing.T, dir string) {
	t.Helper()
	env := func(name string) string { return map[string]string{"SOURCE_DATE_EPOCH": "1700000000"}[name] }
	if status := Run([]string{"man", dir}, Streams{Out: io.Discard, Err: os.Stderr, Env: env}); status != ExitOK {
		t.Fatal("man failed")
	}
}

// mandoc finds nothing to complain about in any page.
func TestManPagesAreClean(t *testing.T) {
	if _, err := exec.LookPath("mandoc"); err != nil {
		t.Skip("mandoc is not here")
	}
	dir := t.TempDir()
	writePages(t, dir)
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages: ", err)
	}
	if out, err := exec.Command("mandoc", append([]string{"-T", "lint"}, pages...)...).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("mandoc: %v\n%s", err, out)
	}
}

// sayings are the required texts of a page.
func sayings(cmd *cobra.Command) []string {
	list := []string{cmd.Short, cmd.Long, cmd.UseLine(), cmd.Example, exitStatusText, environmentText, filesText}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		_, usage := pflag.UnquoteUsage(f)
		list = append(list, usage+defaultOf(f), "--"+f.Name)
	})
	if !cmd.HasParent() {
		list = append(list, addressesText, enginesText, configurationText)
	}
	return list
}

var manyBlanks = regexp.MustCompile(`\s+`)

func blanksJoined(text string) string { return manyBlanks.ReplaceAllString(text, " ") }

// plainRoff is the text of a page without its markup.
func plainRoff(source string) string {
	source = regexp.MustCompile(`(?m)^\.(nf|fi|PP|TP|br)\n|^\.SH `).ReplaceAllString(source, "")
	return strings.NewReplacer(`\fB`, "", `\fI`, "", `\fR`, "", `\&`, "", `\e`, `\`, `\-`, "-", `\(aq`, "'", `\(ga`, "`", `\(ha`, "^", `\(ti`, "~", `\(dq`, `"`).Replace(source)
}

// manPrinter prints pages with a program that is there, else as nothing.
func manPrinter(t *testing.T) func(source []byte) string {
	for _, args := range [][]string{{"mandoc", "-T", "ascii", "-O", "width=1000"}, {"groff", "-man", "-T", "ascii", "-P", "-c", "-rLL=4000n"}} {
		if _, err := exec.LookPath(args[0]); err != nil {
			continue
		}
		return func(source []byte) string {
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Stdin = bytes.NewReader(source)
			out, err := cmd.Output()
			if err != nil {
				t.Errorf("%s: %v", args[0], err)
			}
			return regexp.MustCompile(`.\x08`).ReplaceAllString(string(out), "")
		}
	}
	t.Log("neither mandoc nor groff is here to print the pages")
	return func([]byte) string { return "" }
}
