package loadtest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Syntax independence: a file means the same in JSON as in native syntax, whatever the syntax of
// the other files.

// A jsonWriter writes a native file in JSON, in the plainest way: one array element
// for each block, ${...} around everything that is not a literal. It shares no code with the
// program.
type jsonWriter struct{ src []byte }

// textNames are arguments in which a JSON string stands for itself, or for
// native source text.
var (
	textNames   = []string{"description", "deprecated", "default", "required_version", "alias", "sensitive", "nullable", "create_before_destroy"}
	sourceNames = []string{"type", "ignore_changes", "replace_triggered_by", "providers"}
)

func inJSON(t testing.TB, text string) string {
	t.Helper()
	f, diags := hclsyntax.ParseConfig([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return jsonWriter{[]byte(text)}.body(f.Body.(*hclsyntax.Body), "")
}

// body writes each item as a separate property, in source order.
func (w jsonWriter) body(b *hclsyntax.Body, in string) string {
	props := map[int]string{}
	for name, a := range b.Attributes {
		props[a.SrcRange.Start.Byte] = quoted(name) + ": " + w.argument(in, a)
	}
	for _, nb := range b.Blocks {
		value := w.body(nb.Body, nb.Type)
		if nb.Type == "dynamic" || nb.Type != "terraform" && len(nb.Labels) == 0 && in != "" && !slices.Contains([]string{"lifecycle", "_", "content", "required_providers", "cloud"}, nb.Type) {
			value = "[" + value + "]"
		}
		for _, label := range slices.Backward(nb.Labels) {
			value = "{" + quoted(label) + ": " + value + "}"
		}
		props[nb.TypeRange.Start.Byte] = quoted(nb.Type) + ": " + value
	}
	var list []string
	for _, at := range slices.Sorted(maps.Keys(props)) {
		list = append(list, props[at])
	}
	return "{" + strings.Join(list, ",\n") + "}"
}

func quoted(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

func (w jsonWriter) argument(in string, a *hclsyntax.Attribute) string {
	switch {
	case slices.Contains(sourceNames, a.Name) && in != "resource", a.Name == "provider" && in == "resource", a.Name == "to", a.Name == "from":
		return w.source(a.Expr)
	case slices.Contains(textNames, a.Name), in == "required_providers":
		return w.literal(a.Expr)
	}
	switch e := a.Expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return string(e.Range().SliceBytes(w.src))
	case *hclsyntax.TemplateExpr:
		if v, diags := e.Value(nil); !diags.HasErrors() && !strings.ContainsAny(v.AsString(), "$%") {
			return quoted(v.AsString())
		}
	}
	text := string(a.Expr.Range().SliceBytes(w.src))
	return quoted("${" + text + "\n}")
}

// literal writes a constant of strings.
func (w jsonWriter) literal(e hclsyntax.Expression) string {
	if obj, ok := e.(*hclsyntax.ObjectConsExpr); ok {
		var list []string
		for _, item := range obj.Items {
			list = append(list, w.literal(item.KeyExpr)+": "+w.literal(item.ValueExpr))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	v, _ := e.Value(nil)
	if v.Type().FriendlyName() == "string" {
		return quoted(v.AsString())
	}
	return string(e.Range().SliceBytes(w.src))
}

func (w jsonWriter) source(e hclsyntax.Expression) string {
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		var list []string
		for _, elem := range e.Exprs {
			list = append(list, w.source(elem))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case *hclsyntax.ObjectConsExpr:
		var list []string
		for _, item := range e.Items {
			list = append(list, w.source(item.KeyExpr)+": "+w.source(item.ValueExpr))
		}
		return "{" + strings.Join(list, ", ") + "}"
	}
	return quoted(string(e.Range().SliceBytes(w.src)))
}

// Mixed turns some of the files into JSON. Native and JSON files of one
// name sort the same way, so that the order of the files stays.
func Mixed(t testing.TB, g *Generator, files map[string]string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := strings.TrimPrefix(files[name], "\xef\xbb\xbf")
		if g.IntN(2) == 0 {
			all[name] = files[name]
			continue
		}
		all[name+".json"] = inJSON(t, text)
	}
	return all
}
