package render_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
	"pgregory.net/rapid"
)

// Marks: a mark in JSON has the same words as the comment in native text, and nothing else. A block
// on one line is marked as a whole in native text only.
func TestMarksAlike(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(rt, "seed"))
		g.Engine = loadtest.DrawEngine(rt)
		given := map[string][]byte{}
		for name, text := range g.Module() {
			given[name] = []byte(text)
		}
		src, diags := loadtest.Files(t, given, load.Options{Engine: g.Engine})
		m, more := merge.Files(src, merge.Options{})
		if diags = append(diags, more...); diags.HasErrors() {
			return
		}
		inNative, isWhole := nativeMarks(rt, m)
		inJSON := jsonMarks(rt, m)
		if isWhole {
			return
		}
		for _, mark := range inNative {
			if !slices.ContainsFunc(inJSON, func(text string) bool { return strings.Contains(text, mark) }) {
				rt.Errorf("no mark in JSON says %q", mark)
			}
		}
		for _, text := range inJSON {
			if !slices.ContainsFunc(inNative, func(mark string) bool { return strings.HasPrefix(text, mark) }) {
				rt.Errorf("no mark in native text says %q", text)
			}
		}
		if rt.Failed() {
			for _, name := range slices.Sorted(maps.Keys(given)) {
				rt.Logf("-- %s --\n%s", name, given[name])
			}
		}
	})
}

var nativeMark = regexp.MustCompile(`^# ((?:override|added|replaced|merged|no effect): .*?)\r?\n?$`)

// nativeMarks are the marks in native text, and whether one is of a block on one line.
func nativeMarks(t *rapid.T, m *merge.Module) (marks []string, isWhole bool) {
	text, diags := render.Native(m, render.Options{Annotate: true})
	if diags.HasErrors() {
		t.Skip("can't be said in native syntax")
	}
	var out strings.Builder
	if err := text.Write(&out); err != nil {
		t.Fatal(err)
	}
	tokens, _ := hclsyntax.LexConfig([]byte(out.String()), "", hcl.InitialPos)
	for _, token := range tokens {
		if token.Type != hclsyntax.TokenComment {
			continue
		}
		if found := nativeMark.FindStringSubmatch(string(token.Bytes)); found != nil {
			marks = append(marks, found[1])
			isWhole = isWhole || strings.Contains(found[0], "# merged: ")
		}
	}
	return marks, isWhole
}

// jsonMarks are those in JSON.
func jsonMarks(t *rapid.T, m *merge.Module) []string {
	doc, _, err := render.JSON(m, render.Options{Annotate: true})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := doc.Write(&out); err != nil {
		t.Fatal(err)
	}
	var root any
	if err := json.Unmarshal([]byte(out.String()), &root); err != nil {
		t.Fatal(err)
	}
	var marks []string
	var visit func(any)
	visit = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				visit(e)
			}
		case map[string]any:
			for name, e := range v {
				if name != "//" {
					visit(e)
					continue
				}
				for _, text := range e.(map[string]any)["tofumerge"].(map[string]any) {
					marks = append(marks, text.(string))
				}
			}
		}
	}
	visit(root)
	return marks
}
