package editor_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
)

// repository is where the pages and the extensions of editors are.
const repository = "../../../.."

func TestMain(m *testing.M) {
	clitest.ForgetEnvironment("tofumerge")
	testscript.Main(m, map[string]func(){"tofumerge": func() { os.Exit(cli.Main()) }})
}
