package secrets_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// Each case is a module. Its "want" files hold the printable text: dots replace hidden parts, or a
// single word replaces all of it. Hidden values start with "secret". The value of a covered
// argument is not shown.
func TestHidden(t *testing.T) {
	loadtest.Run(t, "testdata", func(t *testing.T, c *loadtest.Case) map[string]string {
		m, _ := c.Load(t, load.Options{})
		hidden := m.Secrets()
		got := map[string]string{}
		for _, f := range m.Files {
			if hidden.Withholds(f) {
				got[f.Name] = "withheld"
				continue
			}
			got[f.Name] = shown(f, hidden.In(f, 0, len(f.Raw)))
			if strings.Contains(got[f.Name], `"secret`) {
				t.Errorf("%s: a secret is shown:\n%s", f.Name, got[f.Name])
			}
			if f.Broken {
				continue
			}
			for i := range f.Len() {
				var covered [][2]int
				eachArgument(f.Block(i), func(a *source.Attr) {
					at := f.Place(a.Value())
					isHidden := len(hidden.In(f, at.Start.Byte, at.End.Byte)) > 0
					if isCovered := hidden.Covers(a); isCovered && !isHidden {
						t.Errorf("%s: %s is covered, but shown", source.Where(a), a.Name)
					} else if isCovered {
						covered = append(covered, [2]int{a.Value().Start.Byte, a.Value().End.Byte})
					}
				})
				if got := hidden.CoveredIn(f.Block(i)); !slices.Equal(got, covered) {
					t.Errorf("%s: covered are %v, found %v", source.Where(f.Block(i)), covered, got)
				}
			}
		}
		return got
	})
}

func shown(f *source.File, hidden [][2]int) string {
	var out strings.Builder
	at := 0
	for _, h := range hidden {
		out.Write(f.Raw[at:h[0]])
		out.WriteString("···")
		at = h[1]
	}
	out.Write(f.Raw[at:])
	return out.String()
}

func eachArgument(b *source.Block, visit func(*source.Attr)) {
	for _, it := range b.Items() {
		switch it := it.(type) {
		case *source.Attr:
			visit(it)
		case *source.Block:
			eachArgument(it, visit)
		}
	}
}

// Two readings of a module hide what either of them hides.
func TestShare(t *testing.T) {
	files := func(flag string) map[string][]byte {
		return map[string][]byte{"main.tf": []byte("variable \"a\" {\n  default = \"x\"\n" + flag + "}\n")}
	}
	loud, _ := loadtest.Files(t, files(""), load.Options{})
	quiet, _ := loadtest.Files(t, files("  sensitive = true\n"), load.Options{})
	f := loud.File("main.tf")
	if got := loud.Secrets().In(f, 0, len(f.Raw)); len(got) != 0 {
		t.Fatalf("%v is hidden before", got)
	}
	load.ShareSecrets(loud, quiet)
	if got := loud.Secrets().In(f, 0, len(f.Raw)); len(got) != 1 {
		t.Errorf("%v is hidden afterwards, want the default", got)
	}
}

// The flags of a file are looked up once, not for each block of an unknown type.
func TestManyUnknownBlocks(t *testing.T) {
	block := "resurce {} # " + strings.Repeat("-", 200) + "\n"
	loadtest.Linear(t, "blocks", 2_000, func(size int) {
		m, _ := loadtest.Files(t, map[string][]byte{"main.tf": bytes.Repeat([]byte(block), size)}, load.Options{})
		f := m.File("main.tf")
		if got := m.Secrets().In(f, 0, len(f.Raw)); len(got) != 0 {
			t.Errorf("%v is hidden", got)
		}
	})
}
