package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// A shellCommand is the words of a simple command that runs a program known to the tests.
type shellCommand []string

// known are the programs in displayed lines. A command that changes the machine, or needs something
// that tests lack, is judged by its words and not run.
var known = map[string]func(c shellCommand) error{
	"tofumerge": shellCommand.parses, "./tofumerge": shellCommand.parses,
	"go":  shellCommand.isThere,
	"git": nil, "docker": nil, "curl": nil, "trivy": nil, "tar": nil, "brew": nil, "tofu": nil, "terraform": nil, "tflocal": nil,
	"cd": nil, "export": nil, "diff": nil, "cat": nil, "grep": nil, "jq": nil, "npm": nil, "echo": nil, "patch": nil, "pre-commit": nil, ".ci/run": nil,
}

// err returns the mistake in a command.
func (c shellCommand) err() error {
	if judge := known[c[0]]; judge != nil {
		return judge(c)
	}
	return nil
}

// text is a line from its first command on, without the description that usage lines have.
func (shellCommand) text(line string) string {
	return regexp.MustCompile(`\S  +\S.*$`).ReplaceAllStringFunc(strings.TrimSpace(line), func(s string) string { return s[:1] })
}

// commandsOf finds the commands in a line: at its start, in pipes and lists, and in substitutions.
// Text behind two blanks describes the line.
func commandsOf(line string) []shellCommand {
	var list []shellCommand
	for _, simple := range simpleCommands(shellCommand{}.text(line)) {
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

// parses reports errors in the flags and the command of a call of tofumerge.
func (c shellCommand) parses() error {
	_, err := c.parsed()
	return err
}

// parsed is the command of tofumerge that is called, with its flags.
func (c shellCommand) parsed() (*cobra.Command, error) {
	a := &app{ws: &workspace.Workspace{Console: terminal.Silent(bytes.NewReader(nil), os.Getenv)}}
	root := a.rootCommand()
	args, err := withTofuFlags(root, c[1:])
	if err != nil {
		return nil, err
	}
	root.InitDefaultCompletionCmd(args...)
	root.InitDefaultHelpCmd()
	cmd, rest, err := root.Find(withoutPlaceholders(args))
	if err != nil {
		return nil, err
	}
	cmd.InitDefaultHelpFlag()
	if err := cmd.ParseFlags(rest); err != nil {
		return nil, a.flagError(cmd, err)
	}
	for _, name := range []string{"enable", "disable"} {
		f := cmd.Flags().Lookup(name)
		if f == nil {
			continue
		}
		for id := range strings.SplitSeq(f.Value.String(), ",") {
			if id != strings.ToUpper(id) && check.FindRule(id) == nil {
				return nil, errors.New("there is no rule " + id)
			}
		}
	}
	return cmd, cmdExists(root, cmd)
}

// cmdExists fails if the root is about to take a misspelt command for a directory.
func cmdExists(root, cmd *cobra.Command) error {
	if args := cmd.Flags().Args(); cmd == root && len(args) > 0 && regexp.MustCompile(`^[a-z-]+$`).MatchString(args[0]) {
		return errors.New("there is no command " + args[0])
	}
	return nil
}

// withoutPlaceholders gives numbers to flags that need one, and removes brackets and dots from
// optional or repeated arguments.
func withoutPlaceholders(args []string) []string {
	var list []string
	for _, arg := range args {
		arg = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(arg, "[]{}"), "..."), "…")
		if arg == "N" || arg == "BYTES" {
			arg = "1"
		}
		if arg != "" {
			list = append(list, arg)
		}
	}
	return list
}

// isThere reports names in a call of go that the repository lacks.
func (c shellCommand) isThere() error {
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

func tofumergeIn(commands []shellCommand) shellCommand {
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

// namesDirs reports whether the directories that a call of tofumerge names are there.
func (c shellCommand) namesDirs(dir string) bool {
	cmd, err := c.parsed()
	if err != nil {
		return false
	}
	names := cmd.Flags().Args()
	if cmd.Name() == "explain" || cmd.Name() == "help" {
		names = nil
	}
	if against, err := cmd.Flags().GetString("against"); err == nil {
		names = append(names, against)
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err != nil
	})
}

// canRun reports whether commands have no placeholder, stay in their directory, and
// name files only that are there.
func canRun(commands []shellCommand, dir string) bool {
	for _, c := range commands {
		if !slices.Contains(runnable, c[0]) {
			return false
		}
		if c[0] == "tofumerge" && !c.namesDirs(dir) {
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
