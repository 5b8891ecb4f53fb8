package promises_test

import (
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

// binaries are what tests run as programs of their own, by their names.
var binaries = map[string]func(){"tofumerge": func() { os.Exit(cli.Main()) }}

// Each module goes through whole commands, so half as many as elsewhere are enough for a run.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "50"); err != nil {
		panic(err)
	}
	clitest.ForgetEnvironment(slices.Collect(maps.Keys(binaries))...)
	testscript.Main(m, binaries)
}
