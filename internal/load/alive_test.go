package load

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Modules without references are collected, however many are loaded afterwards. In a long-running
// program, no module may keep its predecessor in memory.
func TestModulesAreLetGoOf(t *testing.T) {
	contents := map[string][]byte{}
	for i := range 40 {
		block := fmt.Sprintf("resource \"x\" \"n%d\" {\n  a = 1\n  b {\n    c = 2\n  }\n}\n", i)
		contents[fmt.Sprintf("f%d.tf", i)] = []byte(block)
		contents["override.tf"] = append(contents["override.tf"], block...)
	}
	for _, cache := range []*Cache{nil, NewCache()} {
		var files []weak.Pointer[source.File]
		var last *Module
		for i := range 30 {
			contents["f0.tf"] = []byte(strings.Repeat("\n", i) + "resource \"x\" \"n0\" {}\n")
			opts := Options{Contents: contents, Absent: func(string) bool { return true }, Cache: cache}
			m, diags, err := Dir(t.TempDir(), opts)
			if err != nil || diags.HasErrors() {
				t.Fatal(err, diags)
			}
			for _, f := range m.Files {
				for b := range f.Len() {
					f.Block(b).Items()
				}
			}
			last = m
			files = append(files, weak.Make(m.Files[1]))
		}
		runtime.GC() // only one: what outlives each collection once is much of a server's memory
		alive := 0
		for _, f := range files {
			if f.Value() != nil {
				alive++
			}
		}
		if alive > 5 {
			t.Errorf("%d of %d modules are held", alive, len(files))
		}
		runtime.KeepAlive(last)
	}
}
