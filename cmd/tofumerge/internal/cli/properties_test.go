package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// What must hold for every module is tested beside the code, in internal/merge, as far
// as it needs no command line. The tests here run the program on modules made alike.

// outcome is what the program makes of files.
type outcome struct {
	status    int
	out, errs string
}

func runOn(t testing.TB, files map[string]string, args ...string) outcome {
	t.Helper()
	return runIn(t, clitest.Write(t, files), args...)
}

func runIn(t testing.TB, dir string, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	status := Run(slices.Concat(engineFlag(t), args, []string{dir}), Streams{Out: &out, Err: &errs, Env: func(string) string { return "" }})
	return outcome{status, out.String(), errs.String()}
}

// withTB runs a property with a testing.TB, which helpers make directories of, and
// which follows the engine.
func withTB(t *testing.T, property func(tb testing.TB, rt *rapid.T, files map[string]string)) {
	mergetest.ForModules(t, func(rt *rapid.T, files map[string]string, e engine.Release) { property(drawnTB{t, e}, rt, files) })
}

// FuzzRender feeds the program a primary and an override file of any bytes. It
// may refuse them, but must say so and print nothing; what it prints must be a
// configuration that prints the same.
func FuzzRender(f *testing.F) {
	collectLate()
	for seed := range uint64(60) {
		files := loadtest.NewGenerator(seed).Module()
		if len(files["f0.tf"])+len(files["a_override.tf"]) < 700 { // small ones are tried more often
			f.Add([]byte(files["f0.tf"]), []byte(files["a_override.tf"]))
		}
	}
	for _, kinds := range [][2]string{
		{"resource \"a\" \"b\" {\n}\n", "resource \"a\" \"b\" {\n  lifecycle = 2\n  _ = 1\n}\n"},
		{"resource \"a\" \"b\" {\n  connection = 1\n  provisioner \"p\" {}\n}\n", "resource \"a\" \"b\" {\n}\n"},
		{"terraform {\n}\n", "terraform {\n  required_providers = 2\n  encryption = 1\n}\n"},
		{"check \"c\" {\n  data = 1\n}\nresource {}\nresource {}\n", "data {}\n"},
	} {
		f.Add([]byte(kinds[0]), []byte(kinds[1]))
	}
	f.Fuzz(func(t *testing.T, primary, override []byte) {
		if len(primary)+len(override) > maxFuzzed {
			t.Skip("too large")
		}
		tb := derived(t, primary, override)
		got := renderInMemory(tb, map[string]string{"main.tf": string(primary), "override.tf": string(override)}, "hcl")
		if got.status != exitOK {
			if got.out != "" || got.errs == "" {
				t.Fatalf("status %d with output %q and message %q", got.status, got.out, got.errs)
			}
			return
		}
		if strings.Contains(got.errs, "Unsupported block type") {
			return
		}
		again := renderInMemory(tb, map[string]string{"main.tf": got.out}, "hcl")
		if again.status != exitOK {
			if loses(got.errs) {
				return
			}
			t.Fatalf("the output is refused: %s\n%s", again.errs, got.out)
		}
		if diff := cmp.Diff(got.out, again.out); diff != "" {
			t.Errorf("printed again (-first +again):\n%s", diff)
		}
	})
}

// loses reports whether a warning said that the output can't say everything. Messages are
// broken at words.
func loses(errs string) bool {
	errs = oneLine(errs)
	return strings.Contains(errs, "Connection of a destroy-time provisioner") || strings.Contains(errs, "can't be printed") ||
		strings.Contains(errs, "or print native syntax")
}

// oneLine is a text without its line ends.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
