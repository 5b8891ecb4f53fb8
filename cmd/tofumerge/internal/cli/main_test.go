package cli

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// update rewrites the expected outputs of tests. Read the difference like code.
var update = loadtest.Update

// binaries are what tests run as programs of their own, by their names.
var binaries = map[string]func(){"tofumerge": func() { os.Exit(Main()) }, "overflow": clitest.Overflow}

func TestMain(m *testing.M) {
	clitest.ForgetEnvironment(slices.Collect(maps.Keys(binaries))...)
	testscript.Main(m, binaries)
}
