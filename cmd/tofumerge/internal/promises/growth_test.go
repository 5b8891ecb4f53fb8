//go:build linux

package promises_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

var growthPart = flag.Int("growth-part", 128, "start with 1/`N` of the largest size; larger sizes show what is quadratic with a small factor")

// A growthCommand is a command line that runs on shapes. DIR is the directory of a shape, EDITED the
// one beside it, OUTPUT what a tool prints, and NEW a directory that isn't there.
type growthCommand struct{ name, args, refused string }

var growthCommands = []growthCommand{
	{"render", "DIR", ""},
	{"json", "--json DIR", ""},
	{"annotate", "-a DIR", ""},
	{"filter", "--filter **.n.**.n.**.n.**.n.zz --filter a.*a*a*a*a*a*a*a*b DIR", "no block matches --filter"},
	{"list", "list DIR", ""},
	{"check", "check DIR", ""},
	{"recursive", "check -r DIR", ""},
	{"sarif", "check -f sarif DIR", ""},
	{"deny", "check --deny **.n.**.n.**.n.**.n.zz --deny *.*a*a*a*a*a*a*a*a*b DIR", ""},
	{"comments", "check --fix --enable unmarked-override --select unmarked-override DIR", ""},
	{"fix", "check --fix DIR", ""},
	{"explain", "explain DIR --all", ""},
	{"present", "explain DIR local.l0", ""},
	{"absent", "explain DIR local.zz", "nothing in the module has the address"},
	{"diff", "diff DIR", ""},
	{"other", "diff EDITED --from DIR", ""},
	{"changes", "changes DIR", ""},
	{"report", "report DIR", ""},
	{"flatten", "flatten DIR -o NEW --only-config --engine opentofu", ""},
	{"extract", "extract DIR EDITED", ""},
	{"exec", "exec DIR -- cat OUTPUT", ""},
	{"lsp", "lsp", ""},
}

// withoutModule are the commands that read no module.
var withoutModule = []string{"completion", "help", "version"}

// command is the command of a command line.
func (c growthCommand) command() string {
	if word, _, _ := strings.Cut(c.args, " "); word != "DIR" && !strings.HasPrefix(word, "-") {
		return word
	}
	return "render"
}

// Time and memory of each command grow in proportion to the part of a module that grows, whatever
// part that is. Each run is a process of its own, on one processor.
//
//	go test ./cmd/tofumerge/internal/promises -run 'TestGrowth/signs_between' -v -all-pairs
func TestGrowth(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1")
	missing, pairs := commandNames(), 0
	for _, s := range shapes {
		for name := range strings.FieldsSeq(s.on) {
			i := slices.IndexFunc(growthCommands, func(c growthCommand) bool { return c.name == name })
			if i < 0 {
				t.Fatalf("shape %q is for %q, which growthCommands lacks", s.name, name)
			}
			c := growthCommands[i]
			if pairs++; missing[c.command()] && strings.Contains(" render extract ", " "+c.command()+" ") || *allPairs {
				t.Run(s.name+"/"+name, func(t *testing.T) { newGrowth(t, s, c).measure() })
			}
			delete(missing, c.command())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		t.Errorf("no shape is for %s: add it to growthCommands and to a shape that it treats in its own way, or to withoutModule", name)
	}
	if pairs > 120 {
		t.Errorf("there are %d pairs of a command and a shape, and only 120 are measured fast enough", pairs)
	}
}

// commandNames are the names of the commands that read modules, as a shell completes them.
func commandNames() map[string]bool {
	var out bytes.Buffer
	cli.Run([]string{"__complete", ""}, cli.Streams{Out: &out, Err: &out, Env: func(string) string { return "" }})
	names := map[string]bool{}
	for line := range strings.Lines(out.String()) {
		if name, _, isName := strings.Cut(line, "\t"); isName && !slices.Contains(withoutModule, name) {
			names[name] = true
		}
	}
	return names
}

// A growth is what a command takes for a shape, by its size.
type growth struct {
	testing.TB
	shape
	growthCommand
	run   runner
	env   []string // of the measured processes
	dirs  map[int]string
	runs  map[int]measuredRun // the time is the least of several
	peaks map[int]float64     // of memory, in bytes
}

func newGrowth(t testing.TB, s shape, c growthCommand) *growth {
	return &growth{t, s, c, measured, nil, map[int]string{}, map[int]measuredRun{}, map[int]float64{}}
}

// measure fails the test if the command takes more time or memory than in proportion to the shape.
func (g *growth) measure() {
	most := g.largest()
	g.compareTime(most)
	n := slices.Max(slices.Collect(maps.Keys(g.runs)))
	if g.shape.refused != "" && !g.isRefused(g.runs[n]) {
		if g.took(most); !g.isRefused(g.runs[most]) {
			g.Errorf("n = %d isn't refused with %q", most, g.shape.refused)
		}
	}
	if g.memory > 0 && !g.Failed() {
		g.compareMemory(n, most)
	}
	for _, n := range slices.Sorted(maps.Keys(g.runs)) {
		g.Logf("%d: %v, %.1f MB", n, g.runs[n].took, g.peaks[n]/1e6)
	}
}

// withoutCollection keeps a process from collecting garbage.
var withoutCollection = []string{"GOGC=off", "GOMEMLIMIT=2GiB"}

// compareTime fails the test if time grows faster than the shape in three ways: without the collection of
// garbage, with it, and in units of what parsing as many bytes of a plain module takes at that moment.
// Collections make steps, and so do memory that fills a cache and a host that gets busy, which the parser
// meets as well. Quadratic work grows too fast in every way.
func (g *growth) compareTime(most int) {
	units := newGrowth(g.TB, shapes[0], growthCommand{name: "parse", args: "DIR"})
	units.run = g.run
	inUnits := func(n int) time.Duration {
		took, size := g.took(n), g.size(n)
		return took * time.Duration(size) / max(1, units.parsed(size)/time.Microsecond)
	}
	for i, took := range []func(int) time.Duration{g.took, g.took, inUnits} {
		tried := &failures{TB: g.TB}
		g.env = [][]string{withoutCollection, nil, withoutCollection}[i]
		loadtest.Grows(tried, g.args, max(1, g.least, most / *growthPart), most, took)
		if len(tried.list) == 0 {
			return
		}
		g.Logf("%q: %s", g.env, tried.list)
	}
	g.Errorf("%s: time grows faster than the shape", g.args)
}

// parsed is what parsing a module of about size bytes takes.
func (g *growth) parsed(size int) time.Duration {
	r := g.run("parse-measured", "", withoutCollection, g.dir(1000*size/g.size(1000)+1))
	if r.err != nil {
		g.Fatal(r.err)
	}
	return r.took
}

// took runs the command with n of the things that grow, and returns the processor's time.
func (g *growth) took(n int) time.Duration {
	r := g.run.on(g.dir(n), g.args, g.env...)
	if r.err != nil {
		g.Fatalf("n = %d: %v", n, r.err)
	}
	if r.status == cli.ExitFailed && !g.isRefused(r) {
		g.Fatalf("n = %d is refused: %s", n, head(r.said))
	}
	took := r.took
	if least, isKnown := g.runs[n]; isKnown {
		r.took = min(r.took, least.took)
	}
	g.runs[n] = r
	return took
}

// peak is the most memory that the command takes with n of the things that grow.
func (g *growth) peak(n int) float64 {
	if _, isKnown := g.peaks[n]; !isKnown {
		g.peaks[n] = min(g.run.on(g.dir(n), g.args).peak, g.run.on(g.dir(n), g.args).peak)
	}
	return g.peaks[n]
}

// dir is the directory of the module with n of the things that grow.
func (g *growth) dir(n int) string {
	if g.dirs[n] == "" {
		g.dirs[n] = g.written(n)
	}
	return g.dirs[n]
}

// isRefused reports whether the program refused the shape as it must, or what the command asks for.
func (g *growth) isRefused(r measuredRun) bool {
	wanted := cmp.Or(g.shape.refused, g.growthCommand.refused)
	return wanted != "" && strings.Contains(r.said, wanted)
}

// compareMemory fails the test if a byte takes too much memory. At small sizes some of it is
// garbage, which isn't collected yet, so larger ones are tried.
func (g *growth) compareMemory(n, most int) {
	rate := g.rate(n/4, n)
	for ; rate > g.memory && 2*n <= most; n *= 2 {
		rate = g.rate(n, 2*n)
	}
	if g.Logf("%.0f bytes of memory for a byte", rate); rate > g.memory {
		g.Errorf("%s takes %.0f bytes of memory for a further byte of the files, at most %.0f may be", g.args, rate, g.memory)
	}
}

// rate is how many bytes the peak of memory grows with each byte between two sizes.
func (g *growth) rate(few, many int) float64 {
	var peak, bytes [2]float64
	for i, n := range []int{few, many} {
		peak[i], bytes[i] = g.peak(n), float64(g.size(n))
	}
	return (peak[1] - peak[0]) / (bytes[1] - bytes[0])
}

// written writes the files of the shape, and for a language server the session of an editor that
// opens them, and returns the directory.
func (g *growth) written(n int) string {
	dir, files := filepath.Join(g.TempDir(), "m"), g.times(n)
	if g.command() == "lsp" {
		files["../session"] = session(dir, files)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			g.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			g.Fatal(err)
		}
	}
	return dir
}

// session is what an editor sends that opens a primary and an override file and asks about both.
func session(dir string, files map[string]string) string {
	type object = map[string]any
	var out strings.Builder
	send := func(id int, method string, params object) {
		m := object{"jsonrpc": "2.0", "method": method, "params": params}
		if id > 0 {
			m["id"] = id
		}
		text, _ := json.Marshal(m)
		fmt.Fprintf(&out, "Content-Length: %d\r\n\r\n%s", len(text), text)
	}
	send(1, "initialize", object{"rootUri": "file://" + dir, "capabilities": object{}})
	send(0, "initialized", object{})
	for i, name := range []string{"main.tf", "override.tf"} {
		document := object{"uri": "file://" + filepath.Join(dir, name), "languageId": "terraform", "version": 1, "text": files[name]}
		all := object{"start": object{"line": 0, "character": 0}, "end": object{"line": 1 << 20, "character": 0}}
		send(0, "textDocument/didOpen", object{"textDocument": document})
		send(10+i, "textDocument/inlayHint", object{"textDocument": document, "range": all})
		send(30+i, "textDocument/hover", object{"textDocument": document, "position": object{"line": 1, "character": 3}})
	}
	send(2, "shutdown", nil)
	send(0, "exit", nil)
	return out.String()
}

// failures is a test that notes that it failed.
type failures struct {
	testing.TB
	list []string
}

func (f *failures) Errorf(format string, args ...any) {
	f.list = append(f.list, fmt.Sprintf(format, args...))
}

// Work that grows with the square is noticed, unless parsing grows so at that moment. Nothing runs here: time is made up
// from the bytes of a file.
func TestGrowthIsNoticed(t *testing.T) {
	line := func(bytes int64) time.Duration { return time.Duration(bytes) * time.Microsecond }
	square := func(bytes int64) time.Duration { return line(bytes * bytes / 1000) }
	for _, test := range []struct {
		name            string
		command, parser func(bytes int64) time.Duration
		fails           int
	}{
		{"square", square, line, 1},
		{"line", line, line, 0},
		{"busy host", square, square, 0},
	} {
		f := &failures{TB: t}
		g := newGrowth(f, shapes[0], growthCommand{name: "render", args: "DIR"})
		g.run = func(program, _ string, _ []string, args ...string) measuredRun {
			info, err := os.Stat(filepath.Join(args[0], "main.tf"))
			if err != nil {
				return measuredRun{err: err}
			}
			if program == "parse-measured" {
				return measuredRun{took: test.parser(info.Size())}
			}
			return measuredRun{took: test.command(info.Size())}
		}
		if g.compareTime(g.largest()); len(f.list) != test.fails {
			t.Errorf("%s: %q", test.name, f.list)
		}
	}
}

// What a command takes that compares each line with each other one is measured.
func TestGrowthIsMeasured(t *testing.T) {
	t.Setenv("GOMAXPROCS", "1")
	t.Setenv(planted, "list")
	g := newGrowth(t, shapes[0], growthCommand{name: "list", args: "list DIR"})
	g.env = withoutCollection
	n := 400
	for g.took(n) < 20*time.Millisecond {
		n *= 2
	}
	var one, four time.Duration
	for range 7 {
		if one, four = g.took(n), g.took(4*n); four > 6*one {
			return
		}
	}
	t.Errorf("%v for %d, and %v for four times as much: what is planted isn't measured", one, n, four)
}
