package patch

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

func written(t *testing.T, context int, files ...*File) string {
	t.Helper()
	var out bytes.Buffer
	if err := (Writer{Context: context, Palette: screen.NewPalette(false)}).Write(&out, files); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Edits become lines, hunks join if their contexts meet, and a last line without a line end is
// marked.
func TestDiff(t *testing.T) {
	src := []byte("a\nb\nc\nd\ne\nf\ng\nh")
	d := Diff("x y.tf", src, []textedit.Edit{textedit.Replace(2, 3, "B"), textedit.Replace(15, 15, "\ni"), textedit.Replace(6, 8, "")})
	want := "--- a/x y.tf\t\n+++ b/x y.tf\t\n@@ -1,5 +1,4 @@\n a\n-b\n+B\n c\n-d\n e\n@@ -7,2 +6,3 @@\n g\n-h\n\\ No newline at end of file\n+h\n+i\n\\ No newline at end of file\n"
	if diff := cmp.Diff(want, written(t, 1, d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if in, del := d.Counts(); in != 3 || del != 3 {
		t.Errorf("%d insertions and %d deletions, want 3 and 3", in, del)
	}
}

func TestDiffOfNothing(t *testing.T) {
	same := Diff("a.tf", []byte("a\n"), nil)
	if same.Changes() || written(t, 3, same) != "" {
		t.Errorf("a file that stays the same is written as %q", written(t, 3, same))
	}
	made := Diff("main.tf", nil, []textedit.Edit{textedit.Replace(0, 0, "a\n")})
	made.IsNew = true
	if got, want := written(t, 3, made), "--- /dev/null\n+++ b/main.tf\n@@ -0,0 +1 @@\n+a\n"; got != want {
		t.Errorf("a new file is written as %q, want %q", got, want)
	}
}

// Names of objects that aren't files of the module are quoted if they would end a line.
func TestCompare(t *testing.T) {
	d := Compare([2]string{"a\nb", `c"d`}, []byte("x\n"), []byte("y\n"))
	want := "--- \"a\\012b\"\n+++ \"c\\\"d\"\n@@ -1 +1 @@\n-x\n+y\n"
	if got := written(t, 3, d); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
