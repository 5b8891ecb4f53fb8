package screen

import (
	"bytes"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var sequence = regexp.MustCompile(`^\x1b\[[0-9;]*m`)

// isOnlyColoured reports whether got is a text with sequences between its bytes. The text may
// contain sequences, or parts of them, so they can't simply be removed.
func isOnlyColoured(got, text []byte) bool {
	lengths := []int{0}       // of the text, that the part of got so far may be
	behind := map[int][]int{} // the same where a sequence ends
	for i := range len(got) + 1 {
		if more := behind[i]; len(more) > 0 {
			lengths = append(lengths, more...)
			slices.Sort(lengths)
			lengths = slices.Compact(lengths)
			delete(behind, i)
		}
		if i == len(got) {
			break
		}
		if length := len(sequence.Find(got[i:])); length > 0 {
			behind[i+length] = append(behind[i+length], lengths...)
		}
		var next []int
		for _, n := range lengths {
			if n < len(text) && text[n] == got[i] {
				next = append(next, n+1)
			}
		}
		lengths = next
	}
	return slices.Contains(lengths, len(text))
}

// samples are the files of testdata, and instead of its archives the files in them.
func samples(t *testing.T) map[string][]byte {
	all := map[string][]byte{}
	err := filepath.WalkDir("../../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		parts := bytes.Split(text, []byte("\n-- "))
		if len(parts) == 1 {
			all[path] = text
		}
		for _, part := range parts[1:] {
			name, body, _ := bytes.Cut(part, []byte(" --\n"))
			all[path+" "+string(name)] = body
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestKeepsBytes fails if colours change any byte of a text, valid or not.
func TestKeepsBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	all := samples(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text := all[name]
		keepsBytes(t, name, text)
		if len(text) > 0 {
			hostile := bytes.Clone(text)
			for range 3 {
				const odd = "\x1b\"{}<$\\\n\r\xff#/*\x00"
				hostile[random.IntN(len(hostile))] = odd[random.IntN(len(odd))]
			}
			keepsBytes(t, name+" with random bytes", hostile)
		}
	}
	for _, text := range []string{
		"\xef\xbb\xbfa = 1\n", "\xef\xbb\xbf", "a = <<E\n${\"x\n", "/*\n\n*/ a = 1", "a=\"\x1b[31m\"", "a = \"${\r\n", "\r\n\r\n",
		"# added: a.tf:1", "a = 1 # added: a.tf:1\r\n", "\x1b[map\x1b\x1b[31", "\x1b[35mmap",
	} {
		keepsBytes(t, "odd text", []byte(text))
	}
}

func keepsBytes(t *testing.T, name string, text []byte) {
	t.Helper()
	colors := NewPalette(true)
	if got := (Painter{Palette: colors}).Paint(text); !isOnlyColoured(got, text) {
		t.Errorf("%s: %q becomes %q", name, text, got)
	}
	if got := (Painter{}).Paint(text); !bytes.Equal(got, text) {
		t.Errorf("%s: without colours %q becomes %q", name, text, got)
	}
}
