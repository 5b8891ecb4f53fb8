package workspace_test

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
)

// A value that was sensitive at the revision stays hidden where it is not sensitive any more.
func TestSinceHidesSecrets(t *testing.T) {
	dir := clitest.Tree(t, "-- m/main.tf --\nvariable \"p\" {\n  default   = \"hunter2\"\n  sensitive = true\n}\n")
	clitest.Commit(t, dir)
	clitest.Unpack(t, dir, "-- m/main.tf --\nvariable \"p\" {\n  default = \"hunter2\"\n}\n")
	r, err := newTry(t, dir).Select([]string{"m"}, &workspace.Search{DirsOnly: true, Sides: workspace.Sides{Since: &workspace.Rev{Name: "HEAD"}}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Compare(r.Subjects[0])
	if err != nil {
		t.Fatal(err)
	}
	if f := m.Source.Files[0]; len(m.Source.Secrets().In(f, 0, len(f.Raw))) == 0 {
		t.Error("nothing is hidden")
	}
}

// A pattern of --exclude-override without matches is named once for several modules, and a directory
// without tracked files with the index.
func TestNotes(t *testing.T) {
	dir := clitest.Tree(t, modules)
	clitest.Commit(t, dir)
	clitest.Unpack(t, dir, "-- new/main.tf --\n")
	w := newTry(t, dir)
	w.Excluded = []string{"override*", "zz*"}
	if _, _, err := w.each(t, &workspace.Search{DirsOnly: true}, "a", "b"); err != nil || strings.Count(w.said(), "--exclude-override") != 1 {
		t.Errorf("%v, %s", err, w.said())
	}
	w = newTry(t, dir)
	w.UseRevision("")
	if _, _, err := w.each(t, &workspace.Search{DirsOnly: true}, "new"); err == nil || !strings.Contains(w.said(), "new of the index") {
		t.Errorf("%v, %s", err, w.said())
	}
}
