package cli

import (
	"bytes"
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSizes fails where a file or a function is longer than what one reads at a time, or where
// functions as a whole get longer.
func TestSizes(t *testing.T) {
	const longestFile, longestFunction, median, most = 800, 120, 12, 45
	for _, root := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join("../../../..", root), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") {
				return err
			}
			text, err := os.ReadFile(path)
			if n := bytes.Count(text, []byte("\n")); n > longestFile {
				t.Errorf("%s has %d lines", path, n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var lengths []int
	for name, file := range sourceFiles(t) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				n := fileSet.Position(f.End()).Line - fileSet.Position(f.Pos()).Line + 1
				if lengths = append(lengths, n); n > longestFunction {
					t.Errorf("%s: %s has %d lines", name, f.Name.Name, n)
				}
			}
		}
	}
	slices.Sort(lengths)
	if n := lengths[len(lengths)/2]; n > median {
		t.Errorf("half of the functions have more than %d lines", median)
	}
	if n := lengths[len(lengths)*9/10]; n > most {
		t.Errorf("a tenth of the functions have more than %d lines", most)
	}
}

// layered are the packages whose files have an order: none of them refers to one that refers back
// to it, by whichever way.
var layered = []string{
	"internal/load/early", "internal/load/jsonsyntax", "internal/load/judge", "internal/load/language", "internal/load/jsontree", "internal/load/source",
	"internal/merge", "internal/merge/effect", "internal/merge/rules",
}

// TestFilesHaveAnOrder fails where the files of a layered package make a circle. Methods are
// not followed, since a name alone does not tell whose they are.
func TestFilesHaveAnOrder(t *testing.T) {
	all := sourceFiles(t)
	for _, dir := range layered {
		home := map[string]string{} // the file of each declaration
		for name, file := range all {
			if filepath.ToSlash(filepath.Dir(name)) == dir {
				for declared := range file.Scope.Objects {
					home[declared] = name
				}
			}
		}
		uses := map[string][]string{}
		for name, file := range all {
			if filepath.ToSlash(filepath.Dir(name)) != dir {
				continue
			}
			for _, id := range file.Unresolved {
				if to := home[id.Name]; to != "" && to != name && !slices.Contains(uses[name], to) {
					uses[name] = append(uses[name], to)
				}
			}
		}
		if len(home) == 0 {
			t.Errorf("there is no package %s", dir)
		}
		for name := range uses {
			if way := wayBack(uses, name, []string{name}, map[string]bool{}); way != nil {
				t.Errorf("a circle: %s", strings.Join(way, " -> "))
				break
			}
		}
	}
}

// wayBack is a way from the last of some files to the first, or nil. From those that were seen
// there is none.
func wayBack(uses map[string][]string, first string, way []string, seen map[string]bool) []string {
	for _, to := range uses[way[len(way)-1]] {
		if to == first {
			return append(way, to)
		}
		if seen[to] {
			continue
		}
		seen[to] = true
		if back := wayBack(uses, first, append(slices.Clip(way), to), seen); back != nil {
			return back
		}
	}
	return nil
}
