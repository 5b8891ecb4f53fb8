package load_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/providerschema"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Each case is a module with JSON files; their native text; its items, each with the JSON text that
// it is from; and the messages: the judgement of the language, the guesses, and the parts that
// native syntax can't express. A file schema.json is the schema of its providers.
func TestTranslate(t *testing.T) {
	loadtest.Run(t, "testdata/translate", func(t *testing.T, c *loadtest.Case) map[string]string {
		m, diags := c.Load(t, load.Options{Schema: schemaOf(t, c)})
		var native, items, doubts strings.Builder
		for _, f := range m.Files {
			if f.Syntax != source.JSON {
				continue
			}
			native.Write(f.Native)
			for i := range f.Len() {
				writeItem(&items, f.Block(i), "")
			}
			f.EachInexpressible(func(it source.Item, d *hcl.Diagnostic) {
				fmt.Fprintf(&doubts, "%s:%d: %s in %s\n", f.Name, d.Subject.Start.Line, d.Summary, it.Called())
			})
		}
		guesses := loadtest.Messages(m.Guesses(func(source.Item) bool { return true }))
		return map[string]string{"tf": native.String(), "items": items.String(), "messages": loadtest.Messages(diags), "guesses": guesses, "doubts": doubts.String()}
	})
}

func schemaOf(t *testing.T, c *loadtest.Case) *providerschema.Schema {
	t.Helper()
	text, ok := c.Files["schema.json"]
	if !ok {
		return nil
	}
	path := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	schema, err := providerschema.Read(path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// writeItem writes an item, the JSON text it is from, and the ranges of the parts of its value.
func writeItem(out *strings.Builder, it source.Item, indent string) {
	f := it.Source()
	at := func(r hcl.Range) string { return oneLine(f.Raw[f.Place(r).Start.Byte:f.Place(r).End.Byte]) }
	switch it := it.(type) {
	case *source.Block:
		fmt.Fprintf(out, "%s%s <- %s\n", indent, oneLine(f.Text(it.Header())), at(it.TypeAt()))
		for i, label := range it.Labels {
			fmt.Fprintf(out, "%s  label %s <- %s\n", indent, label, at(it.LabelAt(i)))
		}
		for name, text := range it.Voids() {
			fmt.Fprintf(out, "%s  no %s <- %s\n", indent, name, oneLine(text))
		}
		for _, at := range it.Remarks() {
			fmt.Fprintf(out, "%s  comment <- %s\n", indent, oneLine(f.Raw[at[0]:at[1]]))
		}
		for _, inner := range it.Items() {
			writeItem(out, inner, indent+"  ")
		}
	case *source.Attr:
		fmt.Fprintf(out, "%s%s = %s <- %s: %s\n", indent, it.Name, oneLine(it.Display()), at(it.Header()), at(it.Value()))
		for _, part := range partsOf(it.Expr()) {
			fmt.Fprintf(out, "%s  %s <- %s\n", indent, oneLine(f.Text(part)), at(part))
		}
	}
}

// partsOf returns the keys and values of an object, the elements of a tuple, and the parts of
// those.
func partsOf(e hcl.Expression) []hcl.Range {
	var list []hcl.Range
	add := func(e hclsyntax.Expression) {
		list = append(append(list, e.Range()), partsOf(e)...)
	}
	switch e := e.(type) {
	case *hclsyntax.ObjectConsExpr:
		for _, item := range e.Items {
			list = append(list, item.KeyExpr.Range())
			add(item.ValueExpr)
		}
	case *hclsyntax.TupleConsExpr:
		for _, elem := range e.Exprs {
			add(elem)
		}
	}
	return list
}

func oneLine(text []byte) string { return strings.Join(strings.Fields(string(text)), " ") }
