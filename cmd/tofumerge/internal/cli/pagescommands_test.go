package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// TestPagesBlocks fails for a block of code that no test covers, as its language or, without one,
// its text shows.
func TestPagesBlocks(t *testing.T) {
	for _, p := range readPages(t) {
		for _, b := range p.blocks {
			switch b.language {
			case "console": // TestPagesExamples
			case "sh", "yaml": // TestPagesCommands
			case "hcl", "json": // configuration, which holds no command
			case "lua", "lisp": // TestLSPEditors, as far as the editors are installed
			case "text":
				if regexp.MustCompile(`(?m)^(\$ |(tofumerge|go) )`).MatchString(b.text) {
					t.Errorf("%s:%d: a command is shown as text; make it a console or sh block", p.path, b.line)
				}
			case "":
				if !isHCL(b.text) && !areCommands(b.text) {
					t.Errorf("%s:%d: this block is neither configuration nor made of commands that a test knows; fence it, and name its language", p.path, b.line)
				}
			default:
				t.Errorf("%s:%d: no test knows blocks of %s", p.path, b.line, b.language)
			}
		}
	}
}

func isHCL(text string) bool {
	_, diags := hclsyntax.ParseConfig([]byte(text), "page", hcl.InitialPos)
	return !diags.HasErrors()
}

// areCommands reports whether each line of a text has a command.
func areCommands(text string) bool {
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && len(commandsOf(line)) == 0 {
			return false
		}
	}
	return true
}

// TestPagesCommands checks commands that pages show without output: lines of blocks, of scripts in
// YAML, and code in running text; and those of the help. Calls of tofumerge must parse, and those that can run must
// succeed; packages named in go commands must exist.
func TestPagesCommands(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TOFUMERGE_ENGINE", "")
	for _, p := range append(readPages(t), helpPage()) {
		t.Run(p.path, func(t *testing.T) {
			dir := newScratch(t, p).modules
			for _, b := range p.blocks {
				if b.language != "sh" && b.language != "yaml" && (b.language != "" || isHCL(b.text)) {
					continue
				}
				at := b.line
				for line := range strings.Lines(b.text) {
					checkLine(t, p, at, line, b.language, dir)
					at++
				}
			}
			checkProse(t, p, dir)
		})
	}
}

// helpPage is a page of what the commands' help contains.
func helpPage() *page {
	var text strings.Builder
	eachCommand(func(cmd *cobra.Command) {
		if strings.Contains(cmd.CommandPath(), " completion") {
			return // it is the library's, and writes to the home directory
		}
		example := regexp.MustCompile(`(?m)^  (.*?)(  .*)?$`).ReplaceAllString(cmd.Example, "$1")
		text.WriteString("## " + cmd.CommandPath() + "\n\n" + inMarkdown(cmd.Long) + "\n\n```sh\n" + example + "\n```\n\n")
	})
	return &page{path: "help", text: text.String(), blocks: blocksIn(text.String())}
}

// checkLine checks the commands of a line that is shown.
func checkLine(t *testing.T, p *page, at int, line, language, dir string) {
	t.Helper()
	line = strings.TrimRight(line, "\n")
	if language == "yaml" {
		checkHook(t, p, at, line)
		line = inYAML.ReplaceAllString(line, "")
	}
	line = regexp.MustCompile(`(^|\s+)# .*$`).ReplaceAllString(line, "")
	commands := commandsOf(line)
	if len(commands) == 0 && language == "sh" && strings.TrimSpace(line) != "" {
		t.Errorf("%s:%d: no test knows a command in %q", p.path, at, line)
	}
	for _, c := range commands {
		if err := c.err(); err != nil {
			t.Errorf("%s:%d: %q: %v", p.path, at, strings.Join(c, " "), err)
		}
	}
	if language != "yaml" {
		runShown(t, p, at, line, dir)
	}
}

// runShown runs a line that is shown, if it can run, and fails if that fails.
func runShown(t *testing.T, p *page, at int, line, dir string) {
	t.Helper()
	commands := commandsOf(line)
	if !strings.Contains(line, "testdata/") {
		dir = filepath.Join(dir, "testdata/modules/web")
	}
	if tofumergeIn(commands) == nil || !canRun(commands, dir) {
		return
	}
	t.Run(line, func(t *testing.T) {
		out, status := shell(t, dir, strings.ReplaceAll(commands[0].text(line), "go run ./cmd/tofumerge", "tofumerge"))
		if strings.Contains(out, "nothing in the module has the address") {
			t.Skip("the example is about a module that has more in it")
		}
		isDifference := status == 1 && commands[0][0] == "diff"
		lacksClient := strings.Contains(line, "tofumerge lsp") && strings.Contains(out, "without a shutdown request")
		if status != ExitOK && status != ExitFound && !isDifference && !lacksClient {
			t.Errorf("%s:%d: status %d:\n%s", p.path, at, status, out)
		}
	})
}

// inYAML matches the text before a command in a line of YAML.
var inYAML = regexp.MustCompile(`^\s*(- )*((run|script|entry|args|image|name|uses|with|if|[a-z_-]+):\s*[|>]?-?\s*)?`)

var (
	hookID    = regexp.MustCompile(`^\s*- id: (tofumerge\S*)`)
	hooksFile = filepath.Join(repository, ".pre-commit-hooks.yaml")
)

// checkHook looks for the hook that a line of YAML names.
func checkHook(t *testing.T, p *page, at int, line string) {
	t.Helper()
	m := hookID.FindStringSubmatch(line)
	if m == nil {
		return
	}
	hooks, err := os.ReadFile(hooksFile)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(hooks), "- id: "+m[1]+"\n") {
		t.Errorf("%s:%d: .pre-commit-hooks.yaml has no hook %s", p.path, at, m[1])
	}
}

var (
	inlineCode = regexp.MustCompile("`([^`\n]+)`")
	inlineFlag = regexp.MustCompile(`(?:^| )(--?[a-z][a-z-]*)`)
)

// flagsOfOthers are flags in running text that belong to other programs.
var flagsOfOthers = []string{"-update", "-json", "-module", "-config", "-race", "-var", "-mutants", "-seed", "-modules", "-fuzz", "-p", "-upgrade", "--ignore-scripts", "-check", "-backend", "-backend-config", "-var-file"}

// checkProse checks code in running text: calls of tofumerge, and names of flags.
func checkProse(t *testing.T, p *page, dir string) {
	t.Helper()
	prose := p.prose()
	for _, m := range inlineCode.FindAllStringSubmatchIndex(prose, -1) {
		code, at := prose[m[2]:m[3]], 1+strings.Count(prose[:m[0]], "\n")
		if strings.HasPrefix(code, "go ") {
			checkGo(t, p, at, code)
			continue
		}
		for _, f := range inlineFlag.FindAllStringSubmatch(code, -1) {
			if !slices.Contains(flagsOfOthers, f[1]) && !isFlag(f[1]) {
				t.Errorf("%s:%d: no command has the flag %s", p.path, at, f[1])
			}
		}
		for _, c := range commandsOf(code) {
			if err := c.err(); err != nil {
				t.Errorf("%s:%d: %q: %v", p.path, at, code, err)
			}
		}
		runShown(t, p, at, code, dir)
	}
}

// checkGo checks that the packages in a call of go in running text exist.
func checkGo(t *testing.T, p *page, at int, code string) {
	t.Helper()
	for _, c := range commandsOf(code) {
		if err := c.err(); err != nil {
			t.Errorf("%s:%d: %q: %v", p.path, at, code, err)
		}
	}
	if m := regexp.MustCompile(`-run '?(\w+)`).FindStringSubmatch(code); m != nil && !isTest(t, code, m[1]) {
		t.Errorf("%s:%d: there is no test %s", p.path, at, m[1])
	}
}

// isTest reports whether a package that a call of go names has a test, a benchmark or a fuzzer
// whose name has a start.
func isTest(t *testing.T, code, start string) bool {
	t.Helper()
	for _, dir := range regexp.MustCompile(`\./[\w./-]*\w`).FindAllString(code, -1) {
		paths, err := filepath.Glob(filepath.Join(repository, dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(paths, func(path string) bool {
			text, err := os.ReadFile(path)
			return err == nil && strings.Contains(string(text), "\nfunc "+start)
		}) {
			return true
		}
	}
	return false
}

// isFlag reports whether any command has a flag.
func isFlag(flag string) bool {
	root := (&app{ws: &workspace.Workspace{Console: terminal.Silent(nil, os.Getenv)}}).rootCommand()
	for _, cmd := range append(root.Commands(), root) {
		cmd.InitDefaultHelpFlag()
		for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.InheritedFlags()} {
			name := strings.TrimLeft(flag, "-")
			if strings.HasPrefix(flag, "--") && set.Lookup(name) != nil || len(name) == 1 && set.ShorthandLookup(name) != nil {
				return true
			}
		}
	}
	return false
}
