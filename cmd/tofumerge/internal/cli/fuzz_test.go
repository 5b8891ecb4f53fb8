package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// FuzzRender feeds the program a primary and an override file of any bytes. It may refuse them, but
// then with a message and without a result; any output must be a configuration that prints the
// same.
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
		tb := clitest.Derived(t, primary, override)
		got := renderInMemory(tb, map[string]string{"main.tf": string(primary), "override.tf": string(override)}, "hcl")
		if got.status != ExitOK {
			if got.out != "" || got.errs == "" {
				t.Fatalf("status %d with output %q and message %q", got.status, got.out, got.errs)
			}
			return
		}
		if strings.Contains(got.errs, "Unsupported block type") {
			return
		}
		again := renderInMemory(tb, map[string]string{"main.tf": got.out}, "hcl")
		if again.status != ExitOK {
			if clitest.Loses(got.errs) {
				return
			}
			t.Fatalf("the output is refused: %s\n%s", again.errs, got.out)
		}
		if diff := cmp.Diff(got.out, again.out); diff != "" {
			t.Errorf("printed again (-first +again):\n%s", diff)
		}
	})
}
