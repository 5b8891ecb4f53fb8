package annotate_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render/annotate"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// Each case is a module, its effective configuration with marks, and what is said
// about it. The marks are all that is there besides what is printed without them.
func TestMarked(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		src, diags := c.Load(t, load.Options{})
		m, more := merge.Files(src, merge.Options{})
		if diags = append(diags, more...); diags.HasErrors() {
			t.Fatal(diags)
		}
		marked, doubts := text(t, m, annotate.New(m, false, palette.New(false)))
		plain, _ := text(t, m, nil)
		if diff := cmp.Diff(parts(plain), parts(marked)); diff != "" {
			t.Errorf("without the marks (-plain +marked):\n%s", diff)
		}
		colored, _ := text(t, m, annotate.New(m, false, palette.New(true)))
		if diff := cmp.Diff(marked, colors.ReplaceAllString(colored, "")); diff != "" || marked != plain && marked == colored {
			t.Errorf("in colour (-plain +coloured):\n%s", diff)
		}
		return map[string]string{"tf": marked, "messages": loadtest.Messages(append(diags, doubts...))}
	})
}

func text(t *testing.T, m *merge.Module, marks *annotate.Annotator) (string, hcl.Diagnostics) {
	t.Helper()
	printed, diags := native.New(m, plan.Selection{}, marks)
	var out strings.Builder
	if err := printed.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String(), diags
}

// isMark tells comments that are marks, or the second line of one.
var isMark = regexp.MustCompile(`^# (override|added|replaced|merged|no effect): |^#   dropped: `)

// colors are the sequences that colour text.
var colors = regexp.MustCompile("\x1b\\[[0-9;]*m")

// parts are the tokens of a text, but for line ends and marks.
func parts(text string) []string {
	tokens, _ := hclsyntax.LexConfig([]byte(text), "", hcl.InitialPos)
	var list []string
	for _, token := range tokens {
		word := strings.TrimRight(string(token.Bytes), "\r\n")
		isComment := token.Type == hclsyntax.TokenComment
		if word != "" && !(isComment && isMark.MatchString(word)) {
			list = append(list, word)
		}
	}
	return list
}
