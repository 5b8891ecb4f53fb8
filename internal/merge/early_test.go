package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// Chains of local values are followed as far as the stack safely allows. Longer ones are reported
// wherever they matter, and nowhere else.
func TestEarlyChains(t *testing.T) {
	chain := func(n int, end string) string {
		var out strings.Builder
		out.WriteString("locals {\n")
		for i := range n {
			fmt.Fprintf(&out, "  l%d = local.l%d\n", i, i+1)
		}
		fmt.Fprintf(&out, "  l%d = %s\n}\nvariable \"v\" {\n  sensitive = true\n}\n", n, end)
		return out.String()
	}
	calls := func(locals ...int) string {
		var out strings.Builder
		for _, l := range locals {
			fmt.Fprintf(&out, "module \"m%d\" {\n  source = local.l%d\n}\n", l, l)
		}
		return out.String()
	}
	for _, test := range []struct {
		about, text string
		want        []string
	}{
		{"a long chain", chain(900, "var.v") + calls(0), []string{"Sensitive value not allowed"}},
		{"a longer one", chain(1100, "var.v") + calls(0), []string{"Too many local values"}},
		{"one that ends in a constant", chain(1100, `"./a"`) + calls(0), []string{"Too many local values"}},
		{"its end", chain(1100, "var.v") + calls(1050, 0), []string{"Sensitive value not allowed", "Too many local values"}},
		{"its middle", chain(1500, "var.v") + calls(700, 0), []string{"Sensitive value not allowed", "Sensitive value not allowed"}},
		{"very many", chain(50_000, "var.v") + calls(0, 49_990), []string{"Too many local values", "Sensitive value not allowed"}},
		{"a circle", chain(50_000, "local.l0") + calls(0, 49_990), []string{"Circular reference", "Circular reference"}},
		{"very many to a resource", chain(50_000, "a.b.id") + calls(0, 49_990), []string{"Dynamic value in static context", "Dynamic value in static context"}},
	} {
		src, diags, err := load.Dir(".", mergetest.InMemory(map[string]string{"main.tf": test.text}, engine.Default()))
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		_, diags = merge.Files(src, merge.Options{})
		var got []string
		for _, d := range diags {
			got = append(got, d.Summary)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.about, diff)
		}
	}
}
