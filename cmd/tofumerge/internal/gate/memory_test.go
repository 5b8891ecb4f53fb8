package gate

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// inUse is how many bytes are in use; no clock and no other goroutine affects it.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The memory for a module in which overrides change or repeat each block stays in proportion to its
// files, including its findings. If two engines read it, the first reading is released before the
// second begins.
func TestMemoryInProportion(t *testing.T) {
	for _, c := range []struct {
		name, primary, override string
		blocks                  int
		engine                  string  // empty if it is assumed
		most                    float64 // bytes in use for each of the files
	}{
		{"dropped keys", `tags = { Name = "n", Owner = "o" }`, `tags = { Name = "x" }`, 5000, engine.Default().String(), 14},
		{"no effect", `a = #`, `a = #`, 5000, engine.Default().String(), 19},
		{"nested blocks", "net {\n    x = 1\n  }", "net {\n    x = 2\n  }", 5000, engine.Default().String(), 20},
		{"two engines", `a = #`, `a = #`, 24000, "", 19},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, size := t.TempDir(), 0
			for name, inside := range map[string]string{"main.tf": c.primary, "x_override.tf": c.override} {
				var text strings.Builder
				for i := range c.blocks {
					fmt.Fprintf(&text, "resource \"aws_instance\" \"r%d\" {\n  %s\n}\n", i, strings.ReplaceAll(inside, "#", fmt.Sprint(i)))
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text.String()), 0o600); err != nil {
					t.Fatal(err)
				}
				size += text.Len()
			}
			var held, atReading int64
			before, reads := inUse(), 0
			g := New(&workspace.Workspace{Console: terminal.Silent(strings.NewReader(""), func(string) string { return "" }), MaxFileSize: 1 << 30})
			g.ws.Engines.Flag = c.engine
			g.ws.Files.Read = func(path string, limit int64) ([]byte, error) {
				if filepath.Base(path) == "x_override.tf" { // which is read first
					reads, atReading = reads+1, inUse()-before
				}
				return input.Read(path, limit)
			}
			g.Format = "text"
			if err := g.Prepare(); err != nil {
				t.Fatal(err)
			}
			g.Judged = func(in *Inspection) error {
				held = inUse() - before
				runtime.KeepAlive(in)
				return nil
			}
			found := g.Look("checked", []*workspace.Subject{{Dir: dir}})
			if found[0].Err != nil || len(found[0].Findings) == 0 && c.name != "nested blocks" {
				t.Fatalf("%+v", found)
			}
			if ratio := float64(held) / float64(size); ratio < 1 || ratio > c.most {
				t.Errorf("%.1f bytes are in use for each of the files, want at most %v", ratio, c.most)
			}
			if ratio := float64(atReading) / float64(size); ratio > 1 || c.engine == "" && reads != 3 { // to measure it, and for two engines
				t.Errorf("%.1f bytes are in use for each of the files when they are read for time %d", ratio, reads)
			}
		})
	}
}
