package promises_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// How commands are run on mutants, and what every run has to keep.

// A subject is a mutant in a directory.
type subject struct {
	mutant
	c        *campaign
	dir      string
	known    map[string]outcome // by arguments
	problems []string           // of runs, whatever their purpose
	others   []*subject         // made of output
	parsed   bool               // see streams
}

// subject writes a mutant into a directory.
func (c *campaign) subject(m mutant) *subject {
	c.dirs++
	x := &subject{mutant: m, c: c, dir: filepath.Join(c.dir, strconv.Itoa(c.dirs)), known: map[string]outcome{}}
	if err := os.Mkdir(x.dir, 0o777); err != nil {
		c.t.Fatal(err)
	}
	for name, text := range m.files {
		if err := os.WriteFile(filepath.Join(x.dir, name), []byte(text), 0o666); err != nil {
			c.t.Fatal(err)
		}
	}
	return x
}

func (x *subject) remove() {
	for _, other := range x.others {
		other.remove()
	}
	_ = os.RemoveAll(x.dir)
}

// on is a module of other files, for the same engine.
func (x *subject) on(files map[string]string) *subject {
	other := x.c.subject(mutant{files, x.engine})
	x.others = append(x.others, other)
	return other
}

// alone is a module of one file, which another run printed. Its name makes the
// engine heed version constraints as it did.
func (x *subject) alone(text, ext string) *subject {
	name := "main.tf"
	if e, err := engine.Parse(x.engine); err == nil && e.ReadsTofuFiles() {
		for _, other := range load.Classify(x.names(), e) {
			if other.Tofu && other.Status == load.Read && strings.Contains(x.files[other.Name], "required_version") {
				name = "main.tofu"
			}
		}
	}
	return x.on(map[string]string{name + ext: text})
}

// render prints the module without flags.
func (x *subject) render() outcome { return x.run() }

// run runs a command on the module, once for the same arguments.
func (x *subject) run(args ...string) outcome {
	key := strings.Join(args, "\x00")
	if known, ok := x.known[key]; ok {
		return known
	}
	got, took := x.exec(args)
	if took > slowRun {
		for range 4 { // the machine may be busy
			_, again := x.exec(args)
			took = min(took, again)
		}
		if took > slowRun {
			x.complain("takes more than %s with %v\n%.1f s on %d bytes", slowRun, args, took.Seconds(), x.size())
		}
	}
	x.known[key] = got
	x.inspect(args, got)
	return got
}

// exec runs a command in the directory of the module.
func (x *subject) exec(args []string) (outcome, time.Duration) {
	x.c.runs++
	hang := time.AfterFunc(hangingRun, func() {
		panic(fmt.Sprintf("%v hangs on the module in %s", args, x.dir))
	})
	defer hang.Stop()
	var out, errs bytes.Buffer
	env := func(name string) string {
		if name == workspace.EngineVariable {
			return x.engine
		}
		return ""
	}
	start := time.Now()
	status := cli.Run(append([]string{"-C", x.dir}, args...), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: env, Seams: workspace.Seams{Parsed: x.parsed}})
	return outcome{status, out.String(), errs.String()}, time.Since(start)
}

// complain notes that a run did what none may do.
func (x *subject) complain(format string, args ...any) {
	x.problems = append(x.problems, fmt.Sprintf(format, args...))
}

// finds are commands and flags that may end with the status of findings.
var finds = regexp.MustCompile(`^(check|extract|(?:diff|changes) .*--detailed-exitcode)\b`)

// control matches characters that must not reach a terminal.
var control = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f]`)

// inspect checks what holds for every run.
func (x *subject) inspect(args []string, got outcome) {
	line := strings.Join(args, " ")
	switch {
	case strings.Contains(got.errs, terminal.WhereToReport):
		again, _ := x.exec(append([]string{"-v"}, args...))
		x.complain("%s\n%s", numbers.ReplaceAllString(firstError(got.errs), "N"), again.errs)
		return
	case got.status < cli.ExitOK || got.status > cli.ExitFound:
		x.complain("status %d", got.status)
	case got.status == cli.ExitFound && !finds.MatchString(line+" "):
		x.complain("status of findings\n%s: %s", line, got.errs)
	case got.status == cli.ExitFailed && got.out != "" && !strings.HasPrefix(line, "list") && !strings.HasPrefix(line, "report"):
		x.complain("output of a run that failed\n%s: %s%s", line, got.errs, got.out)
	case got.status == cli.ExitFailed && !strings.Contains(got.errs, "Error: "):
		x.complain("failed without an error\n%s: %s", line, got.errs)
	}
	if bad := control.FindString(got.errs); bad != "" {
		x.complain("messages hold the control character %q\n%s: %q", bad, line, got.errs)
	}
}

var numbers = regexp.MustCompile(`\d+`)

// firstError is the first line of an error.
func firstError(errs string) string {
	for line := range strings.Lines(errs) {
		if strings.HasPrefix(line, "Error: ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// judge lists the problems of a module with a promise.
func (x *subject) judge(p promise) []string {
	problem := p.broken(x)
	problems := x.problems
	x.problems = nil
	for _, other := range x.others {
		problems = append(problems, other.problems...)
		other.problems = nil
	}
	if problem != "" {
		problems = append(problems, problem)
	}
	return problems
}

// limits of minimising.
const (
	minimiseRuns = 4000
	minimiseTime = 20 * time.Second
)

// minimise removes files and lines from a mutant as long as a problem of the same kind shows, and
// returns the rest with that problem.
func (c *campaign) minimise(m mutant, p promise, problem string) (mutant, string) {
	kind, _, _ := strings.Cut(problem, "\n")
	stop, until := c.runs+minimiseRuns, time.Now().Add(minimiseTime)
	shows := func(try mutant) bool {
		if c.runs > stop || time.Now().After(until) || len(try.files) == 0 {
			return false
		}
		x := c.subject(try)
		defer x.remove()
		for _, again := range x.judge(p) {
			if again == kind || strings.HasPrefix(again, kind+"\n") {
				m, problem = try, again
				return true
			}
		}
		return false
	}
	for smaller := true; smaller; {
		smaller = false
		for _, name := range m.names() {
			smaller = shows(m.without(name)) || smaller
		}
		for _, name := range m.names() {
			smaller = c.shorten(&m, name, shows) || smaller
		}
	}
	return m, problem
}

// shorten leaves lines out of a file, first many at once.
func (c *campaign) shorten(m *mutant, name string, shows func(mutant) bool) (shorter bool) {
	for size := strings.Count(m.files[name], "\n")/2 + 1; size > 0; size /= 2 {
		for from := 0; ; {
			lines := strings.SplitAfter(m.files[name], "\n")
			if from >= len(lines) {
				break
			}
			rest := strings.Join(append(lines[:from:from], lines[min(len(lines), from+size):]...), "")
			if rest != m.files[name] && shows(m.with(name, rest)) {
				shorter = true
			} else {
				from += size
			}
		}
	}
	return shorter
}

func (m mutant) without(name string) mutant {
	files := map[string]string{}
	for other, text := range m.files {
		if other != name {
			files[other] = text
		}
	}
	return mutant{files, m.engine}
}

func (m mutant) with(name, text string) mutant {
	m = m.without(name)
	m.files[name] = text
	return m
}
