package main

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
)

// forgottenFlag names, in the environment of a program that a test runs, a command and one of its
// flags, which then does nothing. The command * stands for all.
const forgottenFlag = "TOFUMERGE_TEST_FORGOTTEN_FLAG"

// forgetFlag sets the forgotten flag back to its default.
func forgetFlag(s *cli.Streams) {
	command, name, isSet := strings.Cut(os.Getenv(forgottenFlag), " ")
	if !isSet {
		return
	}
	s.FlagsParsed = func(parsed string, flags *pflag.FlagSet) {
		f := flags.Lookup(name)
		if f == nil || command != "*" && command != parsed && (command != "render" || parsed != "tofumerge") {
			return
		}
		if list, isList := f.Value.(pflag.SliceValue); isList {
			_ = list.Replace(nil)
		} else if err := f.Value.Set(f.DefValue); err != nil {
			panic(err)
		}
		f.Changed = false
	}
}

// TestFlags fails for a flag of a command that no script misses if it does nothing.
func TestFlags(t *testing.T) {
	lines := startsIn(t, scripts(t))
	for _, f := range allFlags(t) {
		t.Run(f.command+" --"+f.name, func(t *testing.T) {
			t.Parallel()
			showing := f.scriptsShowing(lines)
			for _, path := range showing {
				if fails(path, forgottenFlag+"="+f.command+" "+f.name) {
					return
				}
			}
			t.Errorf("add a script that fails if the flag does nothing; %d have it beside the command", len(showing))
		})
	}
}

// A start is a line of a script that starts the program.
type start struct {
	path  string
	nth   int      // in the script
	words []string // from the name of the program on
}

// startsIn are the starts in scripts, the first of each first.
func startsIn(t *testing.T, paths []string) (all []start) {
	t.Helper()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		nth := 0
		for line := range strings.Lines(string(text)) {
			words := strings.Fields(line)
			if at := slices.IndexFunc(words, func(word string) bool { return word == "tofumerge" || word == "lsp" }); at >= 0 {
				all = append(all, start{path, nth, words[at:]})
				nth++
			}
		}
	}
	slices.SortStableFunc(all, func(a, b start) int { return a.nth - b.nth })
	return all
}

// A flag belongs to one command, or to all.
type programFlag struct {
	command, name string
	letter        string // with its dash; empty without one
}

// allFlags are the flags that completion offers.
func allFlags(t *testing.T) []programFlag {
	t.Helper()
	var all []programFlag
	global := flagsOf(t, "write-completions")
	for _, f := range global {
		all = append(all, programFlag{"*", f.name, f.letter})
	}
	for _, word := range completed(t, "") {
		command := word[0]
		if strings.HasSuffix(command, "/") { // a directory
			continue
		}
		for _, f := range flagsOf(t, command) {
			if !slices.Contains(global, f) {
				all = append(all, programFlag{command, f.name, f.letter})
			}
		}
	}
	return append(all, programFlag{"tofumerge", "version", ""}) // the others of the root are those of render
}

// flagsOf are the flags of a command, and those of all commands. A letter has the description of its
// flag.
func flagsOf(t *testing.T, command string) []programFlag {
	t.Helper()
	letters := map[string]string{}
	var list []programFlag
	for _, word := range completed(t, command, "-") {
		name, isLong := strings.CutPrefix(word[0], "--")
		switch {
		case !isLong:
			letters[word[1]] = word[0]
		case name != "help":
			list = append(list, programFlag{name: name, letter: word[1]})
		}
	}
	for i := range list {
		list[i].letter = letters[list[i].letter]
	}
	return list
}

// completed are the words that completion offers, with their descriptions.
func completed(t *testing.T, args ...string) [][2]string {
	t.Helper()
	out, err := exec.Command("tofumerge", append([]string{"__complete"}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var words [][2]string
	for line := range strings.Lines(string(out)) {
		if word, about, _ := strings.Cut(strings.TrimSpace(line), "\t"); word != "" && word[0] != ':' {
			words = append(words, [2]string{word, about})
		}
	}
	return words
}

// scriptsShowing are the scripts with the flag and its command on one line, those that soon come to it first. The name of
// render is left out on most lines.
func (f programFlag) scriptsShowing(starts []start) (paths []string) {
	for _, s := range starts {
		isShown := slices.ContainsFunc(s.words, func(word string) bool {
			name, _, _ := strings.Cut(word, "=")
			return name == "--"+f.name || name == f.letter
		})
		isOf := f.command == "*" || f.command == "render" || slices.Contains(s.words, f.command)
		if isShown && isOf && !slices.Contains(paths, s.path) {
			paths = append(paths, s.path)
		}
	}
	return paths
}

// fails reports whether a script fails with a variable in its environment.
func fails(path, variable string) bool {
	p := running(path)
	setup := p.Setup
	p.Setup = func(env *testscript.Env) error {
		env.Vars = append(env.Vars, variable)
		return setup(env)
	}
	var v verdict
	testscript.RunT(&v, p)
	return v.isFailure
}

// A verdict takes the place of a test that may fail.
type verdict struct{ isFailure bool }

func (v *verdict) Run(_ string, script func(testscript.T)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		script(v)
	}()
	<-done
}

func (v *verdict) FailNow() {
	v.isFailure = true
	runtime.Goexit()
}

func (v *verdict) Fatal(...any)  { v.FailNow() }
func (v *verdict) Skip(...any)   { runtime.Goexit() }
func (v *verdict) Log(...any)    {}
func (v *verdict) Parallel()     {}
func (v *verdict) Verbose() bool { return false }
