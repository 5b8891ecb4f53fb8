package changes

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/values"
	"pgregory.net/rapid"
)

// Values of tests are map[string]any, []any and the text of anything else.

var leaves = []string{`"a"`, `"b"`, `1`, `2`, `true`, `null`, `var.x`, `"x ${var.y}"`}

func drawValue(t *rapid.T, depth int) any {
	switch n := rapid.IntRange(0, 9).Draw(t, "form"); {
	case depth > 0 && n < 4:
		m := map[string]any{}
		for _, k := range rapid.SliceOfN(rapid.SampledFrom(keys), 0, 4).Draw(t, "keys") {
			m[k] = drawValue(t, depth-1)
		}
		return m
	case depth > 0 && n < 7:
		list := []any{}
		for range rapid.IntRange(0, 5).Draw(t, "length") {
			list = append(list, drawValue(t, depth-1))
		}
		return list
	}
	return rapid.SampledFrom(leaves).Draw(t, "leaf")
}

var keys = []string{"a", "b", "c", "cost centre", "d.e"}

// mutate returns a value that has much in common with another one.
func mutate(t *rapid.T, v any, depth int) any {
	if rapid.IntRange(0, 9).Draw(t, "other") == 0 {
		return drawValue(t, depth)
	}
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if rapid.IntRange(0, 5).Draw(t, "gone") > 0 {
				m[k] = mutate(t, v[k], depth-1)
			}
		}
		if rapid.IntRange(0, 4).Draw(t, "new") == 0 {
			m[rapid.SampledFrom(keys).Draw(t, "key")] = drawValue(t, depth-1)
		}
		return m
	case []any:
		list := []any{}
		for _, e := range v {
			if rapid.IntRange(0, 5).Draw(t, "gone") > 0 {
				list = append(list, mutate(t, e, depth-1))
			}
			if rapid.IntRange(0, 7).Draw(t, "new") == 0 {
				list = append(list, drawValue(t, depth-1))
			}
		}
		return list
	}
	return v
}

func nativeText(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var list []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			list = append(list, fmt.Sprintf("%q = %s", k, nativeText(v[k])))
		}
		return "{" + strings.Join(list, ", ") + "}"
	case []any:
		var list []string
		for _, e := range v {
			list = append(list, nativeText(e))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return v.(string)
}

func jsonText(v any) string {
	switch v := v.(type) {
	case map[string]any:
		var list []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			list = append(list, fmt.Sprintf("%q: %s", k, jsonText(v[k])))
		}
		return "{" + strings.Join(list, ",\n") + "}"
	case []any:
		var list []string
		for _, e := range v {
			list = append(list, jsonText(e))
		}
		return "[" + strings.Join(list, ",\n") + "]"
	case string:
		if strings.HasPrefix(v, "var.") {
			return `"${` + v + `}"`
		}
		return v
	}
	panic("no value")
}

func valueIn(t testing.TB, text []byte) any {
	t.Helper()
	e, diags := hclsyntax.ParseExpression(text, "", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %s", text, diags)
	}
	return valueOf(t, text, e)
}

func valueOf(t testing.TB, text []byte, e hcl.Expression) any {
	switch e := e.(type) {
	case *hclsyntax.ObjectConsExpr:
		m := map[string]any{}
		for _, item := range e.Items {
			k, diags := item.KeyExpr.Value(nil)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			m[k.AsString()] = valueOf(t, text, item.ValueExpr)
		}
		return m
	case *hclsyntax.TupleConsExpr:
		list := []any{}
		for _, elem := range e.Exprs {
			list = append(list, valueOf(t, text, elem))
		}
		return list
	}
	return string(e.Range().SliceBytes(text))
}

// applied is a value with changes, each at the rest of its path.
func applied(t testing.TB, v any, list []pending) any {
	t.Helper()
	if len(list) == 0 {
		return v
	}
	if len(list[0].way) == 0 {
		if len(list) > 1 {
			t.Fatalf("%d changes of one value", len(list))
		}
		return valueIn(t, list[0].After.Text())
	}
	if list[0].way[0].Name != "" {
		return appliedToObject(t, v.(map[string]any), list)
	}
	return appliedToList(t, v.([]any), list)
}

// A pending change has a way to go.
type pending struct {
	*Change
	way []*values.Path
}

func (p pending) next() pending { return pending{p.Change, p.way[1:]} }

func appliedToObject(t testing.TB, v map[string]any, list []pending) any {
	m := maps.Clone(v)
	at := map[string][]pending{}
	for _, p := range list {
		name := p.way[0].Name
		switch _, known := v[name]; {
		case len(p.way) > 1 || p.Kind() == Changed:
			at[name] = append(at[name], p.next())
		case known != (p.Kind() == Dropped):
			t.Fatalf("%s is there: %t, and the change is of kind %d", name, known, p.Kind())
		case p.Kind() == Dropped:
			delete(m, name)
		default:
			m[name] = valueIn(t, p.After.Text())
		}
	}
	for name, inner := range at {
		m[name] = applied(t, v[name], inner)
	}
	return m
}

func appliedToList(t testing.TB, v []any, list []pending) any {
	used, came := map[int]bool{}, map[int]any{}
	inner := map[[2]int][]pending{}
	gone := 0
	for _, p := range list {
		before, after := p.way[0].Before, p.way[0].After
		switch {
		case len(p.way) > 1 || p.Kind() == Changed:
			inner[[2]int{before, after}] = append(inner[[2]int{before, after}], p.next())
		case p.Kind() == Dropped:
			used[before] = true
			gone++
		default:
			came[after] = valueIn(t, p.After.Text())
		}
	}
	length := len(v) - gone + len(came)
	for at, of := range inner {
		used[at[0]] = true
		came[at[1]] = applied(t, v[at[0]], of)
	}
	result, rest := []any{}, 0
	for i := range length {
		if value, ok := came[i]; ok {
			result = append(result, value)
			continue
		}
		for used[rest] {
			rest++
		}
		result = append(result, v[rest])
		rest++
	}
	return result
}

func changesOf(t testing.TB, files map[string][]byte) []*Block {
	t.Helper()
	src, diags := loadtest.Files(t, files, load.Options{})
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatal(loadtest.Messages(diags))
	}
	return Of(m)
}

// The changes, applied to the primary file's value, produce the effective one; and JSON has the
// same changes as native syntax.
func TestApplied(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		before := drawValue(rt, 3)
		after := mutate(rt, before, 3)
		native := changesOf(t, map[string][]byte{
			"main.tf":     []byte("locals {\n  v = " + nativeText(before) + "\n}\n"),
			"override.tf": []byte("locals {\n  v = " + nativeText(after) + "\n}\n"),
		})
		inJSON := changesOf(t, map[string][]byte{
			"main.tf.json":     []byte(`{"locals": {"v": ` + jsonText(before) + `}}`),
			"override.tf.json": []byte(`{"locals": {"v": ` + jsonText(after) + `}}`),
		})
		got := before
		for _, b := range native {
			var list []pending
			for i := range b.Changes {
				list = append(list, pending{&b.Changes[i], b.Changes[i].Path.Steps()})
			}
			got = applied(t, before, list)
		}
		if diff := cmp.Diff(after, got); diff != "" {
			rt.Fatalf("%s\n→ %s\nare not the changes (-want +got):\n%s%s", nativeText(before), nativeText(after), diff, listed(native))
		}
		if diff := cmp.Diff(withoutPlaces(native), withoutPlaces(inJSON)); diff != "" {
			rt.Fatalf("JSON has others (-native +JSON):\n%s", diff)
		}
	})
}

func withoutPlaces(list []*Block) []string {
	var lines []string
	for _, b := range list {
		for i := range b.Changes {
			c := &b.Changes[i]
			line := signs[c.Kind()] + c.Address.Join(c.Name()).String()
			for _, v := range []*values.Value{c.Before, c.After} {
				if v != nil {
					line += " " + strings.NewReplacer(" ", "", "\n", "", ",", "", `"`, "").Replace(string(v.Text()))
				}
			}
			lines = append(lines, line)
		}
	}
	return lines
}
