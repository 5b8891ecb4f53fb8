package feature

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

func TestDocumentLinks(t *testing.T) {
	loadtest.Run(t, "testdata/documentlink", func(t *testing.T, c *loadtest.Case) map[string]string {
		v := caseView(t, c)
		var out strings.Builder
		for _, f := range v.Merged.Source.Files {
			text := v.Text(f.Name)
			for _, l := range DocumentLinks(v, f.Name) {
				from, to := text.Offset(l.Range.Start, v.Encoding), text.Offset(l.Range.End, v.Encoding)
				fmt.Fprintf(&out, "%s:%d %s → %s (%s)\n", f.Name, l.Range.Start.Line+1, f.Raw[from:to], l.Target, l.Tooltip)
			}
		}
		return map[string]string{"links": out.String()}
	})
}
