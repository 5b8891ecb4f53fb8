package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Many blocks that no override addresses and that are one item are listed once each, however often
// somebody asks, in time in proportion to their number.
func TestManyBlocksOfAnItem(t *testing.T) {
	loadtest.Linear(t, "locals", 2_000, func(size int) {
		var text strings.Builder
		for i := range size {
			fmt.Fprintf(&text, "locals {\n  l%d = 1\n}\n", i)
		}
		src, _ := loadtest.Files(t, map[string][]byte{"main.tf": []byte(text.String())}, load.Options{})
		m, _ := merge.Files(src, merge.Options{})
		for range 3 {
			items := m.AllOf(func(*source.File, int) bool { return true })
			if len(items) != 1 || len(items[0].Live) != size {
				t.Errorf("%d items, the first with %d of %d blocks", len(items), len(items[0].Live), size)
			}
		}
	})
}
