package baseline

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"slices"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// MaxSize is how many bytes a baseline may have.
const MaxSize = 64 << 20

// version is the version of the format, which the first number of is changed by what older
// programs would get wrong.
const version = "1.0"

// A Baseline is the known findings by the directory of their module, with slashes.
type Baseline map[string]map[check.Key]int

// An entry is a line of the file.
type entry struct {
	Module string `json:"module"`
	check.Key
	Count int `json:"count,omitempty"` // nothing for 1
}

// Add adds findings of a module.
func (b Baseline) Add(module string, counts map[check.Key]int) {
	for k, n := range counts {
		if b[module] == nil {
			b[module] = map[check.Key]int{}
		}
		b[module][k] += n
	}
}

// Len returns how many findings there are.
func (b Baseline) Len() int {
	n := 0
	for _, counts := range b {
		for _, count := range counts {
			n += count
		}
	}
	return n
}

// Keys lists keys in the order of the file.
func Keys(counts map[check.Key]int) []check.Key {
	return slices.SortedFunc(maps.Keys(counts), func(a, b check.Key) int {
		return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.File, b.File), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Text, b.Text))
	})
}

// Text returns the file: the same for the same findings.
func (b Baseline) Text() []byte {
	var out bytes.Buffer
	out.WriteString("{\n  \"format_version\": \"" + version + "\",\n  \"findings\": [")
	separator := "\n"
	for _, module := range slices.Sorted(maps.Keys(b)) {
		for _, k := range Keys(b[module]) {
			e := entry{Module: module, Key: k}
			if n := b[module][k]; n > 1 {
				e.Count = n
			}
			text, _ := safetext.JSON(e, "") // no text and no number fails
			out.WriteString(separator + "    " + string(bytes.TrimSuffix(text, []byte("\n"))))
			separator = ",\n"
		}
	}
	if separator != "\n" {
		out.WriteString("\n  ")
	}
	out.WriteString("]\n}\n")
	return out.Bytes()
}

// Module is the name of a module in a baseline, given its directory.
func Module(dir string) string { return path.Clean(dir) }
