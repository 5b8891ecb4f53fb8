package term

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// Changes that don't fit into a comment are totalled, and the rest of the comment is complete.
func TestTooLong(t *testing.T) {
	var before, after strings.Builder
	name := strings.Repeat("n", 100)
	for i := range 3000 {
		fmt.Fprintf(&before, "  %s%d = 1\n", name, i)
		fmt.Fprintf(&after, "  %s%d = 2\n", name, i)
	}
	src, diags := loadtest.Files(t, map[string][]byte{
		"main.tf":     []byte("locals {\n" + before.String() + "}\n"),
		"override.tf": []byte("locals {\n" + after.String() + "}\n"),
	}, load.Options{})
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatal(loadtest.Messages(diags))
	}
	one := report.ModuleChanges{Title: "```<b>`" + strings.Repeat("x", 9000), Redact: wording.NewRedactor(src, false), Blocks: changes.Of(m)}
	var out strings.Builder
	d := NewComment("")
	for range 3 {
		d.Add(one)
	}
	if err := d.Write(&out); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if n := len([]rune(text)); n > 65_536 {
		t.Errorf("%d characters", n)
	}
	shown := strings.Count(text, "\n! ")
	for _, want := range []string{
		fmt.Sprintf("Too long for a comment: %d more changes not shown.\n", 3000-shown),
		"Too long for a comment: 2 more modules not shown.\n",
		"\n```\n\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n…%s", want, text[len(text)-600:])
		}
	}
	if open, closed := strings.Count(text, "<details"), strings.Count(text, "</details>"); open != 1 || closed != 1 {
		t.Errorf("%d sections are opened, %d closed", open, closed)
	}
}
