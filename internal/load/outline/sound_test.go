package outline_test

import (
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/apparentlymart/go-textseg/v17/textseg"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"golang.org/x/tools/txtar"
)

// A long run tries more mutants of more files, and longer strings of tokens:
//
//	go test ./internal/load/outline -extra 1 -tries 1000000 -corpus DIR -timeout 0
var (
	tries  = flag.Int("tries", 20000, "try this many mutants")
	seed   = flag.Uint64("seed", 1, "make the mutants from this seed")
	extra  = flag.Int("extra", 0, "make the exhaustive strings longer by this many tokens")
	corpus = flag.String("corpus", "../../../testdata", "take native files from this directory")
)

// check fails if the scanner accepts a text that the parser refuses, or finds other items.
func check(t *testing.T, text string) (sure bool) {
	t.Helper()
	if _, sure := outlined([]byte(text)); !sure {
		return false // the parser need not say what it makes of it
	}
	v := judge([]byte(text))
	if v.wrong != "" {
		t.Errorf("%q: %s", text, v.wrong)
	}
	return v.sure
}

// texts are all texts made of a frame and a sequence of pieces up to a length.
type texts struct {
	name   string
	frames []string // with a % at the position of the sequence
	pieces []string
	length int
}

// inBodies are frames for an expression: one in which line ends are tokens, and one in which
// they are blanks.
var inBodies = []string{"a {\n  b = %\n}\n", "a {\n  b = (%)\n}\n"}

var exhaustive = []texts{
	{"terms", inBodies, []string{"a", ".", "*", "0", "[", "]", "-", "\n"}, 5},
	{"numbers", inBodies, []string{"0", "1", ".", "e", "E", "+", "-", "a"}, 5},
	{"operators", inBodies, []string{"a", "=", "!", "<", ">", "&", "|", "?", ":"}, 5},
	{"signs", inBodies, []string{"1", "/", "*", "%", "-", "!", "#", "\n", "~"}, 5},
	{"calls", inBodies, []string{"f", "(", ")", ",", "...", "::", "\n", " "}, 5},
	{"tuples", inBodies, []string{"[", "]", ",", "1", "\n", "#\n", "for ", "."}, 5},
	{"objects", inBodies, []string{"{", "}", "a", "=", ":", ",", "\n", "?", "1"}, 5},
	{"loops", []string{"a {\n  b = [for %]\n}\n", "a {\n  b = {for %}\n}\n"},
		[]string{"x ", "in ", ":", "=>", "...", "if ", ",", "\n"}, 6},
	{"templates", []string{"a {\n  b = \"%\"\n}\n", "a {\n  b = <<E\n%\nE\n}\n"},
		[]string{"$", "%", "{", "}", "~", "x", "\"", "\\", "\n"}, 5},
	{"directives", []string{"a {\n  b = \"%\"\n}\n", "a {\n  b = <<-E\n%\nE\n}\n"},
		[]string{"%{if x}", "%{else}", "%{~endif}", "%{for x in y~}", "%{endfor}", "${x}", "%{"}, 5},
	{"escapes", []string{"a {\n  b = \"%\"\n}\n", "a \"%\" {\n}\n"},
		[]string{"\\", "u", "U", "n", "0", "00", "d8", "f", "\""}, 5},
	{"heredocs", []string{"a {\n  b = %\n}\n", "a {\n  b = f(<<E\n%\nE\n)\n}\n", "a {\n  b = f(%)\n}\n"},
		[]string{"<<", "-", "E", "\n", " ", "\u00a0", "\r", "${E}"}, 6},
	{"bodies", []string{"%"}, []string{"a", " ", "{", "}", "=1", "\n", "\"l\"", "//"}, 6},
	{"inner", []string{"a {%}\n"}, []string{"b", "c", "=1", "\n", "{", "}", "/**/", "#"}, 6},
	{"comments", []string{"a {\n  b = 1 %\n}\n"}, []string{"/", "*", "#", "\n", "\r", "x", "é"}, 6},
	{"broken comments", []string{"# %\na {\n  b = 1 // %\n} /* %\n*/ # %\n"}, []string{"\xe2", "\x9c", "\n", "é", "\xf0", "\x80", "#"}, 5},
	{"columns", []string{"a {\n  b = f(\"%\") \n}\n"}, []string{"e", "\u0301", "é", "\t", "\U0001f337", "\u200d", "$", "\ufeff"}, 4},
	{"marks", []string{"a {\n  b = \"%\"\n}\n", "a {\n  b = \"${c}%${c}\"\n}\n", "a {\n  /*%*/ b = 1\n}\n", "a {\n  b = <<E\n%${c}\nE\n}\n"},
		[]string{"e", "\u0301", "\ufe0f", "é", "\u263a", "$", "%", "}", "\\n", " ", "\t", "\""}, 5},
	{"bytes", []string{"%a {\n  b = \"%\"\n}\n"}, []string{"\x00", "\xff", "\xc3", "\xbb", "\xef", "\xbf", "\x0c", "\u2028"}, 3},
}

// TestExhaustive tries every short text over alphabets of tokens that a scanner may easily read
// differently from the parser.
func TestExhaustive(t *testing.T) {
	for _, set := range exhaustive {
		t.Run(set.name, func(t *testing.T) {
			t.Parallel()
			sure, all := 0, 0
			set.each(set.length-1+*extra, func(text string) {
				all++
				if check(t, text) {
					sure++
				}
			})
			if sure == 0 {
				t.Errorf("sure about none of %d texts", all)
			}
			t.Logf("sure about %d of %d texts", sure, all)
		})
	}
}

// each calls do for each text.
func (s texts) each(length int, do func(string)) {
	var grow func(prefix string, left int)
	grow = func(prefix string, left int) {
		for _, frame := range s.frames {
			do(strings.ReplaceAll(frame, "%", prefix))
		}
		if left > 0 {
			for _, p := range s.pieces {
				grow(prefix+p, left-1)
			}
		}
	}
	grow("", length)
}

// traps are values that a scanner may easily read differently from the parser, longer than the
// exhaustive strings of a short run.
var traps = []string{
	"a.*.*", "a.*.b.*", "a.*[0].*", "a[*].*", "a.0.1", "a.0.e1", "a.0.b", "a[0][*].b", "a.*.0.1",
	"a\n  ? 1 : 2", "(a\n  ? 1 : 2)", "[a\n  ? 1\n  : 2]", "{ b = a\n  ? 1 : 2 }", "a ? 1 : b ? 2 : 3", "a ? b::c() : 1",
	"\"$${\"a\"}\"", "\"$${a}\"", "\"%%{ if }\"", "\"$$${a}\"", "\"%{ if a }b\"", "\"%{ if a }%{ else }%{ else }%{ endif }\"",
	"\"%{ for a in b }%{ endif }\"", "\"${a\n}\"", "\"${<<E\nx\nE\n}\"", "\"\\ud800\"", "\"\\U00110000\"", "\"\\u00e9\"",
	"<<E\n\u00a0E\nE\n", "<<E\n  E\n", "<<-E\n${<<F\nE\nF\n}\nE\n", "f(<<E\n\rE\nE\n)", "<<E \nE\n", "<<E\r\nx\r\nE\r\n",
	"{for a, b in c : a => b... if d}", "[for a in b : a...]", "{for a in b : a}", "[for a in b : a => a]", "{ for = 1 }", "[for]", "{ a = 1, b : 2\n c = 3 }",
	"f(a..., b)", "f(a...)", "f(a,)", "f(,)", "a::b::c(1)", "a::b", "-a.b", "!!a", "- -1", "a - -1", "a == b == c", "a <<E\nE\n", "1.", "1..2", "1e", "0x1", "1_0",
}

// TestTraps tries each trap in a body, in a block on one line, and in brackets.
func TestTraps(t *testing.T) {
	sure := 0
	for _, trap := range traps {
		for _, frame := range append(inBodies, "a { b = % }\n", "a {\n  b = [%, %]\n  c = %\n}\n") {
			if check(t, strings.ReplaceAll(frame, "%", trap)) {
				sure++
			}
		}
	}
	if sure < len(traps) {
		t.Errorf("sure about only %d texts", sure)
	}
}

// TestSure checks that the scanner is sure about texts in which line ends are blanks. A scanner
// that took them for tokens would be slow, but not wrong: other tests wouldn't notice.
func TestSure(t *testing.T) {
	for _, value := range []string{
		"(a\n  ? 1 : 2)", "(a ?\n  1\n  : 2)", "(a\n  + b)", "(\n  -\n  a\n)", "(a\n  .b\n  [0])", "[a\n  ? 1\n  : 2]", "f(a\n  , b\n  ...\n)",
		"a[\n  0\n]", "\"${a\n  ? 1 : 2}\"", "[\n  for x\n  in y\n  : x\n  if x\n]", "{\n  for x\n  in y\n  : x\n  => x\n  ...\n}",
	} {
		if text := "a {\n  b = " + value + "\n}\n"; !check(t, text) {
			t.Errorf("not sure about %q", text)
		}
	}
}

// files returns the native files below a directory and in the archives there.
func files(t testing.TB, dir string) []string {
	var all []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isNative(name) && filepath.Ext(name) != ".txtar" {
			return err
		}
		text, err := os.ReadFile(name)
		if isNative(name) {
			all = append(all, string(text))
			return err
		}
		for _, f := range txtar.Parse(text).Files {
			if isNative(f.Name) {
				all = append(all, string(f.Data))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatalf("no native files below %s", dir)
	}
	return all
}

func isNative(name string) bool {
	return strings.HasSuffix(name, ".tf") || strings.HasSuffix(name, ".tofu")
}

// odd are texts to insert into others.
var odd = []string{
	"\n", "\r\n", "\r", "\t", " ", "\u00a0", "\ufeff", "\u2028", "\x00", "\xff", "é", "e\u0301", "\U0001f468\u200d\U0001f469",
	"\"", "\\", "${", "%{", "$${", "%%{", "~}", "}", "{", "(", ")", "[", "]", "[*]", ".*", ".0", ".0.1", "...", "::", "=>", "==", "=", "?", ":",
	"<<EOT\n", "<<-EOT\n", "EOT\n", "/*", "*/", "//", "#", "for ", " in ", " if ", "%{ if x }", "%{ endif }", "1e5", "1.5", "-", "!", "0x1",
}

// mutated removes, inserts, replaces and repeats parts of a text.
func mutated(r *rand.Rand, text string) string {
	for range 1 + r.IntN(3) {
		from := r.IntN(len(text) + 1)
		to := min(len(text), from+r.IntN(6))
		switch r.IntN(4) {
		case 0:
			text = text[:from] + text[to:]
		case 1:
			text = text[:from] + odd[r.IntN(len(odd))] + text[from:]
		case 2:
			text = text[:from] + odd[r.IntN(len(odd))] + text[to:]
		case 3:
			at := r.IntN(len(text) + 1)
			text = text[:at] + text[from:to] + text[at:]
		}
	}
	return text
}

// blocksOf cuts the native files of a corpus after each top-level block.
func blocksOf(t testing.TB, dir string) []string {
	var all []string
	for _, text := range files(t, dir) {
		for _, part := range strings.SplitAfter(text, "\n}\n") {
			if len(part) < 4000 {
				all = append(all, part)
			}
		}
	}
	return all
}

// rare matches the texts that the scanner leaves to the parser on purpose: huge numbers, names
// beyond ASCII, escaped characters in labels, arguments outside of blocks.
var rare = regexp.MustCompile(`e-?[0-9]{5}|[0-9.]{40}|(?m:(^|[{,]) *\pL*[^ -~\s]\pL* *=)|(?m:^[a-z]+ .*"\\u)|^[a-z]+ *=`)

// TestFiles checks that the scanner is sure about 99.9 % of the files that the parser accepts,
// but for those with something rare.
func TestFiles(t *testing.T) {
	valid, sure := 0, 0
	for _, text := range files(t, *corpus) {
		switch v := judge([]byte(text)); {
		case v.wrong != "":
			t.Errorf("%s\n%s", v.wrong, text)
		case v.sure:
			sure++
			valid++
		case v.valid && !rare.MatchString(text):
			valid++
			t.Logf("not sure about %.300q", text)
		}
	}
	t.Logf("sure about %d of %d files", sure, valid)
	if sure*1000 < valid*999 {
		t.Errorf("sure about only %d of %d files: teach the scanner what the files above have, or say that it is rare", sure, valid)
	}
}

// TestMutants tries mutants of the blocks in testdata.
func TestMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(*seed, 0))
	parts := blocksOf(t, *corpus)
	sure := 0
	for range *tries {
		if check(t, mutated(r, parts[r.IntN(len(parts))])) {
			sure++
		}
	}
	t.Logf("sure about %d of %d mutants", sure, *tries)
	if sure < *tries/5 {
		t.Errorf("sure about only %d of %d mutants", sure, *tries)
	}
}

// TestAlone compares the table of characters that are one cluster each with the segmenter.
func TestAlone(t *testing.T) {
	for r := rune(0x80); r <= 0x1ffff; r++ {
		text := "a {\n  b = \"" + string(r) + string(r) + "x\"\n}\n"
		if r >= 0xd800 && r < 0xe000 || !check(t, text) {
			continue
		}
		for _, near := range []rune{r, 'a', 0x3042, 0xac00, 0xd7a3, 0x1f600, 0xe9} {
			pair := string(r) + string(near) + string(r)
			if n := clusters(pair); n != 3 {
				t.Errorf("%U beside %U: %d clusters", r, near, n)
			}
		}
	}
}

// TestMarks compares the characters that the scanner treats as marks with the parser's
// segmenter and with the newest one.
func TestMarks(t *testing.T) {
	sure := 0
	for r := rune(0x80); r <= 0x1ffff; r++ {
		if r >= 0xd800 && r < 0xe000 || clusters("e"+string(r)+"e") != 2 {
			continue
		}
		for _, base := range []string{"e", "é", "\u3042", "\uac00", "\U0001f600", " ", "e\u0301", "\t", "", "${c}"} {
			if check(t, "a {\n  b = \""+base+string(r)+"x\"\n}\n") {
				sure++
			}
		}
	}
	if sure < 700 {
		t.Errorf("sure about only %d texts", sure)
	}
}

// clusters returns the number of grapheme clusters in a text.
func clusters(text string) (n int) {
	for b := []byte(text); len(b) > 0; n++ {
		advance, _, _ := textseg.ScanGraphemeClusters(b, true)
		b = b[advance:]
	}
	return n
}

// TestResume continues after a block that the scanner was not sure about.
func TestResume(t *testing.T) {
	src := []byte("é {\n}\na {\n}\n")
	s := outline.NewScanner(src)
	if got := s.Next(); got != outline.NotSure || s.At() != (outline.Place{Line: 1, Column: 1}) {
		t.Fatalf("got %v at %v", got, s.At())
	}
	s.Resume(outline.Place{Line: 3, Column: 1, Byte: 7})
	want := outline.Place{Line: 3, Column: 1, Byte: 7}
	if got := s.Next(); got != outline.Found || s.Items[0].Name.Start != want {
		t.Fatalf("got %v, %v", got, s.Items)
	}
	if got := s.Next(); got != outline.End {
		t.Fatalf("got %v", got)
	}
}

func FuzzOutline(f *testing.F) {
	for _, text := range odd {
		f.Add([]byte("a \"b\" {\n  c = x" + text + "\n}\n"))
		f.Add([]byte("a {\n  b = \"" + text + "\"\n}\n"))
	}
	for _, part := range blocksOf(f, "../../../testdata/modules") {
		f.Add([]byte(part))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if v := judge(src); v.wrong != "" {
			t.Error(v.wrong)
		}
	})
}
