package feature

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

func TestIndex(t *testing.T) {
	loadtest.Run(t, "testdata/index", func(t *testing.T, c *loadtest.Case) map[string]string {
		v := caseView(t, c)
		x := indexOf(v)
		if x != indexOf(v) {
			t.Error("the view has two indexes")
		}
		var out strings.Builder
		for _, f := range v.Merged.Source.Files {
			for _, it := range x.itemsOf(f.Name) {
				e, of, _ := x.entryFor(it)
				if of != it {
					t.Errorf("%s: at returns the entry of %s", wording.Place(it), wording.Place(of))
				}
				fmt.Fprintf(&out, "%s %s: %s", wording.Place(it), wording.Name(it), e.address)
				if effect := x.effect(it); effect != nil {
					fmt.Fprintf(&out, ", %s %s", effect.Verb.Words(), effect.Note)
				}
				out.WriteString("\n")
			}
		}
		return map[string]string{"index": out.String()}
	})
}
