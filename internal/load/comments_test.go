package load

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAround(t *testing.T) {
	src := "a { # open\n  # lead\n  // more\n  b = 1 /* t */ # u\n\n  # detached\n\n  /* in */ c = 2\n  d {} # end\n  # last\n}\n"
	f := &File{Name: "main.tf", Src: []byte(src), Engine: DefaultEngine()}
	l := &loader{opts: Options{Engine: DefaultEngine()}}
	if _, ok := l.native(f, nil); !ok {
		t.Fatal("the text does not parse")
	}
	body := f.Block(0).Tree().Body
	var got []string
	for i, tr := range Around(f, body) {
		got = append(got, fmt.Sprintf("%s: %q %q", body.Items[i].Called(), src[tr.Lead:tr.Start], src[tr.Start:tr.End]))
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
