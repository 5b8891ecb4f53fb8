package main

import (
	"bytes"
	"errors"
	"io"
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
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// TestPagesBlocks fails for a block of code that no test covers: its language, or
// what it says where it has none, decides which one does.
func TestPagesBlocks(t *testing.T) {
	for _, p := range readPages(t) {
		for _, b := range p.blocks {
			switch b.language {
			case "console": // TestPagesExamples
			case "sh", "yaml": // TestPagesCommands
			case "hcl", "json", "diff": // configuration and patches, which hold no command
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

// TestPagesCommands checks what pages show without output: lines of blocks, of
// scripts in YAML, and code in running text. Calls of tofumerge have to parse, and
// those that can run have to succeed; what is said to Go has to be there.
func TestPagesCommands(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TOFUMERGE_ENGINE", "")
	for _, p := range readPages(t) {
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
			checkProse(t, p)
		})
	}
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
	if c := tofumergeIn(commands); language != "yaml" && c != nil && canRun(commands, dir) {
		work := dir
		if !strings.Contains(line, "testdata/") {
			work = filepath.Join(dir, "testdata/modules/web")
		}
		t.Run(line, func(t *testing.T) {
			out, status := shell(t, work, strings.ReplaceAll(c.text(line), "go run ./cmd/tofumerge", "tofumerge"))
			isDifference := status == 1 && commands[0][0] == "diff"
			if status != exitOK && status != exitFound && !isDifference {
				t.Errorf("%s:%d: status %d:\n%s", p.path, at, status, out)
			}
		})
	}
}

// inYAML is what may come before a command in a line of YAML.
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

// otherFlags are flags in running text that belong to other programs.
var otherFlags = []string{"-update", "-json", "-module", "-config", "-race", "-var", "-mutants", "-seed", "-modules", "-fuzz", "-p", "-upgrade"}

// checkProse checks code in running text: calls of tofumerge, and names of flags.
func checkProse(t *testing.T, p *page) {
	t.Helper()
	prose := p.prose()
	for _, m := range inlineCode.FindAllStringSubmatchIndex(prose, -1) {
		code, at := prose[m[2]:m[3]], 1+strings.Count(prose[:m[0]], "\n")
		for _, f := range inlineFlag.FindAllStringSubmatch(code, -1) {
			if !slices.Contains(otherFlags, f[1]) && !isFlag(f[1]) {
				t.Errorf("%s:%d: no command has the flag %s", p.path, at, f[1])
			}
		}
		for _, c := range commandsOf(code) {
			if err := c.err(); err != nil {
				t.Errorf("%s:%d: %q: %v", p.path, at, code, err)
			}
		}
	}
}

// isFlag reports whether any command has a flag.
func isFlag(flag string) bool {
	root := (&app{streams: streams{env: os.Getenv}}).rootCommand()
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

// A command is the words of a simple command, the first of which is a program that
// tests know.
type command []string

// known are the programs in lines that are shown. Only what tests judge by its words
// alone is not run: it changes the machine, or needs what a test has not.
var known = map[string]func(c command) error{
	"tofumerge": command.parses,
	"go":        command.isThere,
	"git":       nil, "docker": nil, "curl": nil, "trivy": nil, "tar": nil, "brew": nil, "tofu": nil, "terraform": nil,
	"diff": nil, "cat": nil, "grep": nil, "jq": nil, "echo": nil, "patch": nil, "pre-commit": nil,
}

// err says what is wrong with a command.
func (c command) err() error {
	if judge := known[c[0]]; judge != nil {
		return judge(c)
	}
	return nil
}

// text is a line from its first command on, without the description that usage lines have.
func (command) text(line string) string {
	return regexp.MustCompile(`\S  +\S.*$`).ReplaceAllStringFunc(strings.TrimSpace(line), func(s string) string { return s[:1] })
}

// commandsOf finds the commands in a line: at its start, in pipes and lists, and in
// substitutions. What stands behind two blanks describes the line.
func commandsOf(line string) []command {
	var list []command
	for _, simple := range simpleCommands(command{}.text(line)) {
		for len(simple) > 0 && regexp.MustCompile(`^[A-Z_]+=`).MatchString(simple[0]) {
			simple = simple[1:]
		}
		if len(simple) > 2 && simple[0] == "go" && simple[1] == "run" && simple[2] == "./cmd/tofumerge" {
			simple = append([]string{"tofumerge"}, simple[3:]...)
		}
		if len(simple) == 0 {
			continue
		}
		if _, ok := known[simple[0]]; ok {
			list = append(list, simple)
		}
	}
	return list
}

// simpleCommands splits a line of shell at its operators, and each part into words.
func simpleCommands(line string) [][]string {
	var list [][]string
	var words []string
	word, quote, isWord := "", byte(0), false
	endWord := func() {
		if isWord {
			words = append(words, word)
		}
		word, isWord = "", false
	}
	for i := 0; i < len(line); i++ {
		switch ch := line[i]; {
		case quote != 0 && ch == quote:
			quote = 0
		case quote != 0:
			word += string(ch)
		case ch == '\'' || ch == '"':
			quote, isWord = ch, true
		case ch == ' ':
			endWord()
		case ch == '>' || ch == '<' && !strings.HasPrefix(line[i:], "<("):
			// The file is a word of nobody.
			word, isWord = "", false
			rest := strings.TrimLeft(strings.TrimLeft(line[i:], "<>&"), " ")
			i = len(line) - len(rest) + strings.IndexAny(rest+" ", " ;|)") - 1
		case strings.IndexByte("|&;()<", ch) >= 0:
			endWord()
			list, words = append(list, words), nil
		default:
			word, isWord = word+string(ch), true
		}
	}
	endWord()
	return append(list, words)
}

// parses reports what is wrong with the flags and the command of a call of tofumerge.
func (c command) parses() error {
	a := &app{streams: streams{in: bytes.NewReader(nil), out: io.Discard, err: io.Discard, env: os.Getenv}}
	if err := misspelt(c[1:]); err != nil {
		return err
	}
	root := a.rootCommand()
	root.InitDefaultCompletionCmd(c[1:]...)
	cmd, rest, err := root.Find(withoutPlaceholders(c[1:]))
	if err != nil {
		return err
	}
	cmd.InitDefaultHelpFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return flagError(cmd, err)
	}
	for _, name := range []string{"enable", "disable"} {
		values, _ := cmd.Flags().GetStringArray(name)
		for _, id := range values {
			if id != strings.ToUpper(id) && check.FindRule(id) == nil {
				return errors.New("there is no rule " + id)
			}
		}
	}
	return cmdExists(root, cmd)
}

// cmdExists fails where the root is about to take a misspelt command for a directory.
func cmdExists(root, cmd *cobra.Command) error {
	if args := cmd.Flags().Args(); cmd == root && len(args) > 0 && regexp.MustCompile(`^[a-z-]+$`).MatchString(args[0]) {
		return errors.New("there is no command " + args[0])
	}
	return nil
}

// withoutPlaceholders gives numbers to flags that need one, and takes the brackets
// and dots off what is optional or may be repeated.
func withoutPlaceholders(args []string) []string {
	var list []string
	for _, arg := range args {
		arg = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(arg, "[]"), "..."), "…")
		if arg == "N" || arg == "BYTES" {
			arg = "1"
		}
		if arg != "" {
			list = append(list, arg)
		}
	}
	return list
}

// isThere reports what a call of go names that the repository has not.
func (c command) isThere() error {
	for _, word := range c {
		if path, ok := strings.CutPrefix(word, "./"); ok && path != "..." {
			if _, err := os.Stat(filepath.Join(repository, path)); err != nil {
				return err
			}
		}
		if path, ok := strings.CutPrefix(word, "github.com/tofumerge/tofumerge/"); ok {
			path, _, _ = strings.Cut(path, "@")
			if _, err := os.Stat(filepath.Join(repository, path, "main.go")); err != nil {
				return err
			}
		}
	}
	return nil
}

func tofumergeIn(commands []command) command {
	for _, c := range commands {
		if c[0] == "tofumerge" {
			return c
		}
	}
	return nil
}

var namesFile = regexp.MustCompile(`\w\.(json|sarif|hcl|tf|tofu|txt)$`)

var placeholder = regexp.MustCompile(`\b[A-Z][A-Z0-9]+\b|\.\.\.|…|\$|^\[`)

// runnable are the programs that may run while the pages are tested.
var runnable = []string{"tofumerge", "diff", "cat", "grep", "jq", "echo", "patch"}

// canRun reports whether commands have no placeholder, stay in their directory, and
// name files only that are there.
func canRun(commands []command, dir string) bool {
	for _, c := range commands {
		if !slices.Contains(runnable, c[0]) {
			return false
		}
		for _, word := range c[1:] {
			if placeholder.MatchString(word) || strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") {
				return false
			}
			isPath := (strings.Contains(word, "/") || namesFile.MatchString(word)) && !strings.Contains(word, "*")
			if _, err := os.Stat(filepath.Join(dir, word)); isPath && err != nil {
				return false
			}
		}
	}
	return true
}
