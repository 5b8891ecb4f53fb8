package load

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// placesOf lists the positions and contents of a file's blocks.
func placesOf(t *testing.T, text, override string, cache *Cache) (list []string) {
	t.Helper()
	m, diags, err := Dir(".", Options{
		Contents: map[string][]byte{"main.tf": []byte(text), "override.tf": []byte(override)},
		Absent:   func(string) bool { return true }, Cache: cache,
	})
	if err != nil {
		t.Fatal(err)
	}
	f := m.File("main.tf")
	for i := range f.Len() {
		b := f.Block(i)
		list = append(list, fmt.Sprintf("%s %s %q", b.Address(), b.Extent(), f.TextOf(i)))
		for _, it := range b.Items() {
			list = append(list, fmt.Sprintf("  %s %s", it.Called(), it.Extent()))
		}
	}
	for _, d := range diags {
		list = append(list, d.Error())
	}
	return list
}

// TestUnchangedBlocks makes sure that blocks that are taken up from an earlier load equal the
// blocks of a load without a cache, after edits in front of them, in them, and of the override
// file.
func TestUnchangedBlocks(t *testing.T) {
	block := func(i int) string { return fmt.Sprintf("# %d\nresource \"x\" \"n%d\" {\n  a = %d\n}\n", i, i, i) }
	blocks := []string{
		"variable \"v\" {}\n", "  variable \"indented\" {}\n", "locals {\n  one = 1\n}\n", block(1), block(2),
		"resource \"x\" \"ré\" {\n  a = <<T\n  b\n  T\n}\n", "moved {\n  from = x.a\n  to   = x.b\n}\n", block(3), block(4), "output \"o\" {\n  value = 1\n} # at the end\n", block(5),
	}
	all := func(list []string) string { return strings.Join(list, "") }
	edits := map[string]string{
		"none":      all(blocks),
		"in front":  "# new\n\n" + all(blocks),
		"in one":    strings.Replace(all(blocks), "a = 3", "a = 3\n  b = 4", 1),
		"new":       all(slices.Insert(slices.Clone(blocks), 3, block(9), block(8))),
		"gone":      all(slices.Delete(slices.Clone(blocks), 3, 6)),
		"moved":     all(slices.Concat(blocks[5:], blocks[:5])),
		"twice":     all(slices.Concat(blocks, blocks[3:4])),
		"indented":  strings.ReplaceAll(all(blocks), "resource", " resource"),
		"an error":  strings.Replace(all(blocks), "a = 3", "count = 1\n  for_each = {}", 1),
		"no end":    all(blocks) + "resource \"x\" \"y\" {",
		"CRLF":      strings.ReplaceAll(all(blocks), "\n", "\r\n"),
		"in a line": strings.Replace(all(blocks), "# 3\n", "/* 3 */ ", 1),
		"no line":   strings.TrimSuffix(all(blocks), "\n"),
		"BOM":       "\ufeff" + all(blocks),
	}
	overrides := []string{block(2), block(4) + "variable \"v\" {\n  default = 1\n}\n"}
	for first, before := range edits {
		for last, after := range edits {
			for _, was := range overrides {
				for _, is := range overrides {
					cache := NewCache()
					placesOf(t, before, was, cache)
					want, got := placesOf(t, after, is, nil), placesOf(t, after, is, cache)
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("%s, then %s (-without a cache +with):\n%s", first, last, diff)
					}
				}
			}
		}
	}
}

// TestUnchangedAreTakenUp makes sure that only blocks in which there is an edit are read once more.
func TestUnchangedAreTakenUp(t *testing.T) {
	var blocks []string
	for i := range 200 {
		blocks = append(blocks, fmt.Sprintf("resource \"x\" \"n%d\" {\n  a = %d\n}\n", i, i))
	}
	edited := slices.Clone(blocks)
	edited[3], edited[100] = strings.Replace(edited[3], "a", "b", 1), "# more\n"+edited[100]+"output \"o\" {}\n"
	edited = slices.Delete(edited, 150, 160)

	cache := NewCache()
	placesOf(t, strings.Join(blocks, ""), "", cache)
	before := cache.files["main.tf"]
	f := &source.File{Name: "main.tf", Native: []byte(strings.Join(edited, "")), Engine: before.file.Engine}
	u := before.blocksFor(&loader{addressed: before.addressed}, before.file)
	build, scan, read := new(source.Builder).For(f), outline.NewScanner(f.Native), 0
	for {
		if u.reuseNext(f, scan) {
			continue
		}
		if scan.Next() != outline.Found {
			break
		}
		read++
		b, _ := build.Block(&source.Description{Tree: scan.Tree}, func(uint64, string) bool { return false })
		build.Add(b)
		u.skip(f)
	}
	if f.Len() != 191 || read != 3 {
		t.Errorf("%d of %d blocks were read, want 3 of 191", read, f.Len())
	}
}
