package render_test

import (
	"io"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
)

// An outcome is the printed form of files, or the reason why there is none.
type outcome struct {
	ok        bool
	out, errs string
}

// A syntax is the syntax of a printed module.
type syntax int

const (
	asNative syntax = iota
	asJSON
)

// printed prints files in memory.
func printed(t testing.TB, files map[string]string, e engine.Release, s syntax) outcome {
	t.Helper()
	given := map[string][]byte{}
	for name, text := range files {
		given[name] = []byte(text)
	}
	src, diags := loadtest.Files(t, given, load.Options{Engine: e})
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		return outcome{errs: diags.Error()}
	}
	var write func(io.Writer) error
	var doubts hcl.Diagnostics
	if s == asJSON {
		doc, found, err := render.JSON(m, render.Options{})
		if err != nil {
			t.Fatal(err)
		}
		write, doubts = doc.Write, found
	} else {
		text, found := render.Native(m, render.Options{})
		write, doubts = text.Write, found
	}
	if diags = append(diags, doubts...); diags.HasErrors() {
		return outcome{errs: diags.Error()}
	}
	var out strings.Builder
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	return outcome{true, out.String(), ""}
}

// maxFuzzed is how many bytes a fuzzer tries at once. More would find nothing else,
// and keep it busy for long.
const maxFuzzed = 4 << 10

// collectLate lets the heap grow further between collections. Runs on small modules
// leave little but garbage.
func collectLate() { debug.SetGCPercent(800) }
