package native_test

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/patch"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// Each case is a module, its effective configuration, and the diagnostics.
func TestNative(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		src, diags := c.Load(t, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		if diags = append(diags, more...); diags.HasErrors() {
			t.Fatal(diags)
		}
		text, doubts := native.New(m, plan.Selection{}, nil)
		var out strings.Builder
		if err := text.Write(&out); err != nil {
			t.Fatal(err)
		}
		checkEdits(t, m, out.String())
		return map[string]string{"tf": out.String(), "messages": loadtest.Messages(append(diags, doubts...))}
	})
}

// checkEdits checks that the edited files equal their printed form.
func checkEdits(t *testing.T, m *merge.Module, printed string) {
	t.Helper()
	files := plan.Arrange(m)
	texts := native.TextsOf(files)
	var all strings.Builder
	for _, p := range files {
		if p.File != nil && p.File.Syntax == source.JSON {
			return
		}
		all.Write(patch.Diff("", p.Source(), texts.Edits(p)).New())
	}
	if words(all.String()) != words(printed) {
		t.Errorf("the files, edited:\n%s\nprinted:\n%s", &all, printed)
	}
}

// words is a text without its blanks and line ends, which may stand between files.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }
