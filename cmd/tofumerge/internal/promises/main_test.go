package promises_test

import (
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

func TestMain(m *testing.M) {
	clitest.ForgetEnvironment(slices.Collect(maps.Keys(binaries))...)
	testscript.Main(m, binaries)
}
