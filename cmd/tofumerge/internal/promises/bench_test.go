package promises_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
)

// Each benchmark runs on modules of three kinds, made from a seed. It reports
// the ratio of its time to that of the yardstick on the same module in the
// same run: reading each file and parsing it with hclsyntax, in one thread.

// scales are the modules: files, blocks in each, override files, and how many
// blocks each of those overrides.
var scales = []struct {
	name                                 string
	files, blocks, overrides, overridden int
}{
	{"small", 10, 10, 2, 3},
	{"large", 300, 34, 5, 100},
	{"overrides", 1, 10, 2000, 1},
}

// yardstick is the median time of reading and parsing every file.
func yardstick(b *testing.B, dir string) time.Duration {
	b.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.tf"))
	if err != nil {
		b.Fatal(err)
	}
	return median(func() {
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			hclsyntax.ParseConfig(src, path, hcl.InitialPos)
		}
	})
}

// median is the median time of five runs.
func median(do func()) time.Duration {
	var times []time.Duration
	for range 5 {
		start := time.Now()
		do()
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	return times[2]
}

func onScales(b *testing.B, step func(b *testing.B, dir string)) {
	for _, s := range scales {
		b.Run(s.name, func(b *testing.B) {
			dir := clitest.ScaleModule(b, s.files, s.blocks, s.overrides, s.overridden)
			unit := yardstick(b, dir)
			step(b, dir)
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(unit), "x/parse")
		})
	}
}

func mustLoad(b *testing.B, dir string) *load.Module {
	b.Helper()
	src, diags, err := load.Dir(dir, load.Options{})
	if err != nil || diags.HasErrors() {
		b.Fatal(err, diags)
	}
	return src
}

func BenchmarkLoad(b *testing.B) {
	onScales(b, func(b *testing.B, dir string) {
		for b.Loop() {
			mustLoad(b, dir)
		}
	})
}

func BenchmarkMerge(b *testing.B) {
	onScales(b, func(b *testing.B, dir string) {
		src := mustLoad(b, dir)
		for b.Loop() {
			if _, diags := merge.Files(src, merge.Options{}); diags.HasErrors() {
				b.Fatal(diags)
			}
		}
	})
}

func BenchmarkRender(b *testing.B) {
	onScales(b, func(b *testing.B, dir string) {
		m, _ := merge.Files(mustLoad(b, dir), merge.Options{})
		for b.Loop() {
			text, _ := render.Native(m, render.Options{})
			if err := text.Write(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCommand is a whole run, but for the start of the process.
func BenchmarkCommand(b *testing.B) {
	onScales(b, func(b *testing.B, dir string) {
		for b.Loop() {
			if status := cli.Run([]string{dir}, cli.Streams{Out: io.Discard, Err: io.Discard, Env: os.Getenv}); status != cli.ExitOK {
				b.Fatal("status", status)
			}
		}
	})
}

// BenchmarkJSON is a whole run on a module in JSON, printed in both syntaxes.
// Its yardstick is the parser for JSON of the HCL library on the same bytes.
func BenchmarkJSON(b *testing.B) {
	var text bytes.Buffer
	native := clitest.ScaleModule(b, 100, 34, 0, 0)
	if status := cli.Run([]string{"--json", native}, cli.Streams{Out: &text, Err: io.Discard, Env: os.Getenv}); status != cli.ExitOK {
		b.Fatal("status", status)
	}
	dir := clitest.Write(b, map[string]string{
		"main.tf.json": text.String(),
		"override.tf":  "resource \"x_server\" \"n0_0\" {\n  size = \"xl\"\n}\n",
	})
	unit := median(func() {
		if _, diags := hcljson.Parse(text.Bytes(), "main.tf.json"); diags.HasErrors() {
			b.Fatal(diags)
		}
	})
	for _, format := range []string{"hcl", "json"} {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				if status := cli.Run([]string{"--format", format, dir}, cli.Streams{Out: io.Discard, Err: io.Discard, Env: os.Getenv}); status != cli.ExitOK {
					b.Fatal("status", status)
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(unit), "x/parse")
		})
	}
}
