package promises_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"golang.org/x/tools/txtar"
)

// Mutants are modules that people wrote, with a few things broken, doubled, moved or put in from
// elsewhere. The whole program must keep its promises for each of them. For a long run, over
// modules of any directory:
//
//	go test ./cmd/tofumerge/internal/promises -run TestMutants -timeout 0 -mutants 1000000 -seed 7 -modules DIR,DIR
//
// The same seed makes the same mutants of the same modules. -mutant N begins with the Nth, for one
// that ended the run.
var (
	mutantRuns  = flag.Int("mutants", 1000, "run commands on mutants of modules this many `times`")
	mutantSeed  = flag.Uint64("seed", 1, "make other mutants for each `number`")
	mutantFirst = flag.Uint64("mutant", 0, "begin with the mutant of this `number`")
	mutantDirs  = flag.String("modules", "", "make mutants of the modules below these `directories`, too, separated by commas")
)

// limits of a run on mutants.
const (
	slowRun     = 2 * time.Second // longer is a finding
	hangingRun  = 5 * time.Minute // ends the test, and shows where the program is
	maxFindings = 40
	maxMutant   = 6 << 10 // bytes of most mutants
)

// A campaign runs commands on mutants and gathers the problems.
type campaign struct {
	t        *testing.T
	dir      string // for the files of modules, in memory if possible
	runs     int
	mutants  int
	accepted int
	dirs     int
	found    []*mutantFinding
	schema   func(text string) error
}

// A mutantFinding is a promise that was not kept, with the first mutant that showed it.
type mutantFinding struct {
	kind   string
	number uint64
	times  int
	text   string
}

func TestMutants(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(800))
	schema := compileSchema(t, "")
	c := &campaign{t: t, dir: quickDir(t), schema: func(text string) error { return schema.Validate(decode(t, text)) }}
	seeds := mutantSeeds(t)
	start := time.Now()
	for n := *mutantFirst; c.runs < *mutantRuns && len(c.found) < maxFindings; n++ {
		rng := rand.New(rand.NewPCG(*mutantSeed, n))
		c.try(rng, newMutator(rng, seeds).mutant(), n)
		if elapsed := time.Since(start); c.mutants%5000 == 0 && testing.Verbose() {
			t.Logf("%d mutants, %d runs in %.0f s, %d kinds of findings", c.mutants, c.runs, elapsed.Seconds(), len(c.found))
		}
	}
	t.Logf("%d runs on %d mutants, of which %d were accepted, of %d modules in %.1f s", c.runs, c.mutants, c.accepted, len(seeds), time.Since(start).Seconds())
	for _, f := range c.found {
		t.Errorf("%s: %d times, first by -seed %d -mutant %d\n%s", f.kind, f.times, *mutantSeed, f.number, f.text)
	}
}

// try runs commands on a mutant: some of them at random, fewer where the engine
// refuses it.
func (c *campaign) try(rng *rand.Rand, m mutant, number uint64) {
	c.mutants++
	x := c.subject(m)
	defer x.remove()
	odds := 12
	if x.render().status == cli.ExitOK {
		c.accepted++
		odds = 2
	}
	for i, p := range promises {
		if i > 0 && rng.IntN(odds*p.rarely) > 0 {
			continue
		}
		for _, problem := range x.judge(p) {
			c.note(m, p, problem, number)
		}
	}
}

// note records a finding. The first one of a kind is minimised.
func (c *campaign) note(m mutant, p promise, problem string, number uint64) {
	kind, _, _ := strings.Cut(problem, "\n")
	kind = p.name + ": " + kind
	for _, f := range c.found {
		if f.kind == kind {
			f.times++
			return
		}
	}
	small, problem := c.minimise(m, p, problem)
	f := &mutantFinding{kind: kind, number: number, times: 1, text: fmt.Sprintf("%s\nengine %s\n%s", problem, small.engine, small.archive())}
	c.found = append(c.found, f)
	if testing.Verbose() {
		c.t.Logf("-seed %d -mutant %d: %s\n%s", *mutantSeed, number, kind, f.text)
	}
}

// quickDir is a directory in memory, where the system has such.
func quickDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "tofumerge-mutants-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// mutantSeeds reads the modules that mutants are made of.
func mutantSeeds(t *testing.T) []mutant {
	t.Helper()
	seeds := modulesBelow(t, "../../../../testdata/modules")
	for _, kind := range []string{"rules", "script", "documentation"} {
		seeds = append(seeds, modulesIn(t, kind)...)
	}
	for _, dir := range strings.FieldsFunc(*mutantDirs, func(r rune) bool { return r == ',' }) {
		seeds = append(seeds, modulesBelow(t, dir)...)
	}
	return seeds
}

// modulesIn are the modules in the archives of a directory of testdata.
func modulesIn(t *testing.T, kind string) (modules []mutant) {
	t.Helper()
	paths, err := filepath.Glob("../../../../testdata/" + kind + "/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no archives of modules", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		modules = append(modules, modulesOf(archive)...)
	}
	return modules
}

// modulesOf are the modules in an archive, one for each directory.
func modulesOf(archive *txtar.Archive) []mutant {
	var dirs []string
	byDir := map[string]mutant{}
	for _, f := range archive.Files {
		dir, name := filepath.Split(f.Name)
		if !isModuleFile(name) {
			continue
		}
		if _, known := byDir[dir]; !known {
			dirs, byDir[dir] = append(dirs, dir), mutant{files: map[string]string{}}
		}
		byDir[dir].files[name] = string(f.Data)
	}
	var modules []mutant
	for _, dir := range dirs {
		modules = append(modules, byDir[dir])
	}
	return modules
}

// modulesBelow are the modules in a directory and below it.
func modulesBelow(t *testing.T, root string) []mutant {
	t.Helper()
	archive := &txtar.Archive{}
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !isModuleFile(name) {
			return err
		}
		text, err := os.ReadFile(name)
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: text})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return modulesOf(archive)
}

func isModuleFile(name string) bool {
	return slices.ContainsFunc([]string{".tf", ".tofu", ".tf.json", ".tofu.json"}, func(ext string) bool { return strings.HasSuffix(name, ext) })
}
