package assignments_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Each case contains variables files, and the values read from them.
func TestParse(t *testing.T) {
	loadtest.Run(t, "testdata/files", func(t *testing.T, c *loadtest.Case) map[string]string {
		var out strings.Builder
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			src := c.Files[name]
			if strings.HasPrefix(name, "bom.") {
				src = append([]byte("\xef\xbb\xbf"), src...)
				src = []byte(strings.ReplaceAll(string(src), "\n", "\r\n"))
			}
			f, diags := assignments.Parse(name, src, c.Engine)
			out.WriteString(loadtest.Messages(diags))
			if f.Broken != diags.HasErrors() {
				t.Errorf("%s: broken %v, but %v", name, f.Broken, diags)
			}
			print(t, &out, f.Values, src)
		}
		return map[string]string{"values": out.String()}
	})
}

func print(t *testing.T, out *strings.Builder, values []assignments.Value, src []byte) {
	t.Helper()
	for _, v := range values {
		fmt.Fprintf(out, "%s: %s", v.Range, v.Name)
		if v.Key.Start.Line != v.Range.Start.Line {
			fmt.Fprintf(out, " (line %d)", v.Key.Start.Line)
		}
		if text := strings.TrimRight(string(v.Range.SliceBytes(src)), "\r\n"); string(v.Text()) != text {
			t.Errorf("the text of %s is %q, but its place has %q", v.Name, v.Text(), text)
		}
		value, diags := v.Constant()
		if diags.HasErrors() {
			fmt.Fprintf(out, " refused\n  %s", loadtest.Messages(diags))
			continue
		}
		text, err := ctyjson.Marshal(value, cty.DynamicPseudoType)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(out, " %s\n", text)
	}
}

// A directory holds files by their names, and links to nothing.
type directory map[string]string

func (d directory) Names() ([]string, map[string]bool, error) {
	return slices.Sorted(maps.Keys(d)), nil, nil
}

func (d directory) EscapesRepo(string) bool { return false }

func (d directory) Read(name string, limit int64) ([]byte, error) {
	text := d[name]
	switch {
	case text == "link to nothing":
		return nil, fs.ErrNotExist
	case int64(len(text)) > limit:
		return nil, errors.New("it is too large")
	}
	return []byte(text), nil
}

// Engines look for the two files of fixed names, and read the others if they are listed.
func TestOfDirectory(t *testing.T) {
	dir := directory{
		"main.tf":               "",
		"terraform.tfvars":      "link to nothing",
		"terraform.tfvars.json": `{"a": 1}`,
		"b.auto.tfvars":         "b = 1",
		"named.tfvars":          "c = 1",
		"gone.auto.tfvars":      "link to nothing",
		"other.tftest.hcl":      "variables {}",
		"large.auto.tfvars":     "d = 1" + strings.Repeat(" ", 200),
	}
	m, _, err := load.Dir("", load.Options{From: dir})
	if err != nil {
		t.Fatal(err)
	}
	names, _, _ := dir.Names()
	files, diags := assignments.OfDirectory(m, sidefiles.VariablesAmong(names), func(name string) ([]byte, error) { return m.TextOf(name, 100) })
	var got strings.Builder
	for _, f := range files {
		fmt.Fprintf(&got, "%s broken %v, %d values\n", f.Name, f.Broken, len(f.Values))
	}
	got.WriteString(loadtest.Messages(diags))
	const want = `terraform.tfvars.json broken false, 1 values
b.auto.tfvars broken false, 1 values
gone.auto.tfvars broken true, 0 values
large.auto.tfvars broken true, 0 values
terraform.tfvars:0: warning: Variables file is missing
gone.auto.tfvars:0: error: Failed to read file
large.auto.tfvars:0: error: Failed to read file
`
	if got.String() != want {
		t.Errorf("got:\n%s", got.String())
	}
}

// Text that is made to take long allocates in proportion to its size, or is refused.
func TestHostile(t *testing.T) {
	many := func(n int, start, each, end string) string { return start + strings.Repeat(each, n) + end }
	for name, text := range map[string]func(n int) (string, string){
		"brackets":   func(n int) (string, string) { return "a.tfvars", many(n, "a = ", "[", "") },
		"names":      func(n int) (string, string) { return "a.tfvars", many(n, "a = 1\n", "a = 1\n", "") },
		"heredoc":    func(n int) (string, string) { return "a.tfvars", many(n, "a = <<E\n", "x ${1}\n", "E\n") },
		"elements":   func(n int) (string, string) { return "a.tfvars", many(n, "a = [", "1,", "]") },
		"json names": func(n int) (string, string) { return "a.tfvars.json", many(n, `{"a":1`, `,"a":1`, "}") },
		"json lists": func(n int) (string, string) { return "a.tfvars.json", many(n, `{"a":`, "[", "") },
		"json line":  func(n int) (string, string) { return "a.tfvars.json", many(n, `{"a":[1`, ",{}", "]}") },
	} {
		t.Run(name, func(t *testing.T) {
			const n = 5_000
			one, two := allocatedFor(text(n)), allocatedFor(text(2*n))
			if two > one*5/2 {
				t.Errorf("%d bytes are allocated for %d, and %d for twice as many", one, n, two)
			}
		})
	}
}

// allocatedFor is how many bytes are allocated to read a text and its values.
func allocatedFor(name, text string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, diags := assignments.Parse(name, []byte(text), engine.Default())
	for _, v := range f.Values {
		_, more := v.Constant()
		diags = append(diags, more...)
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
