package section

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/render/plan"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// said lists the facts about an entry.
func (a *blockFacts) said(b *builder, e *merge.MergedItem) (list []string) {
	list = append(list, a.names[e].String())
	for _, c := range a.changes[e] {
		before, after := report.Sides(b.redact, c)
		list = append(list, fmt.Sprint(c.Address.Join(c.Name()), c.Kind().String(), before, after, c.By(), c.IsInside, c.Why))
	}
	return list
}

// The facts computed for one block equal those computed among all.
func TestNearIsAsAll(t *testing.T) {
	near := 0
	compare := func(t *testing.T, m Module) {
		b := newBuilder(m, Options{Room: enoughRoom}, "m", nil)
		all := b.about(nil)
		for _, f := range plan.Arrange(m.Merged) {
			for _, block := range f.All() {
				b.turnTo(block)
				for e := range b.near.names {
					near++
					if diff := cmp.Diff(all.said(b, e), b.near.said(b, e)); diff != "" {
						t.Errorf("(-all +near):\n%s", diff)
					}
				}
			}
		}
	}
	for _, dir := range []string{"testdata", "../annotate/testdata", "../../../testdata/rules"} {
		paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no cases in %s (%v)", dir, err)
		}
		for _, path := range paths {
			if m := moduleOf(t, caseIn(t, path), load.Options{}); !m.Diags.HasErrors() {
				compare(t, m)
			}
		}
	}
	if near < 500 {
		t.Errorf("%d entries", near)
	}
}

// For blocks without room on the page, only the number of changes is computed.
func TestOnlyWhatIsShown(t *testing.T) {
	var main, override strings.Builder
	for i := range 300 {
		fmt.Fprintf(&main, "resource \"aws_instance\" \"r%d\" {\n  a = 1\n  tags = { b = 1 }\n}\n", i)
		fmt.Fprintf(&override, "resource \"aws_instance\" \"r%d\" {\n  a = 2\n  tags = { b = 2 }\n}\n", i)
	}
	m := moduleOf(t, &loadtest.Case{Files: map[string][]byte{"main.tf": []byte(main.String()), "x_override.tf": []byte(override.String())}}, load.Options{})
	b := newBuilder(m, Options{Room: 5000}, "m", nil)
	_, left := b.texts(plan.Arrange(m.Merged))
	if !strings.HasSuffix(left, "more touched blocks not shown.") {
		t.Errorf("left out: %q", left)
	}
	if b.all != nil || len(b.near.names) > 3 {
		t.Errorf("%d entries at hand, all: %v", len(b.near.names), b.all != nil)
	}
	n := 0
	changes.Each(m.Merged, func(*changes.Block) { n++ })
	if n != 300 {
		t.Errorf("%d blocks changed", n)
	}
}
