package load

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

func TestAround(t *testing.T) {
	src := "a { # open\n  # lead\n  // more\n  b = 1 /* t */ # u\n\n  # detached\n\n  /* in */ c = 2\n  d {} # end\n  # last\n}\n"
	f := &source.File{Name: "main.tf", Native: []byte(src), Engine: engine.Default()}
	l := &loader{opts: Options{Engine: engine.Default()}}
	if _, ok := l.parseWhole(f); !ok {
		t.Fatal("the text does not parse")
	}
	b := f.Block(0)
	var got []string
	for i, tr := range source.AllTrivia(b) {
		got = append(got, fmt.Sprintf("%s: %q %q", b.Items()[i].Called(), src[tr.Lead:tr.Start], src[tr.Start:tr.End]))
	}
	want := []string{
		`b: "# lead\n  // more\n  " "b = 1 /* t */ # u"`,
		`c: "" "/* in */ c = 2"`,
		`d: "" "d {} # end"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
