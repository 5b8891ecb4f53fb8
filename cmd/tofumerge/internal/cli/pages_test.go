package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The pages are every Markdown file of the repository that people read. Tests cover their examples,
// so that a page can't become stale unnoticed:
//
//   - TestPagesExamples runs every example, a ```console block, and compares;
//   - TestPagesCommands parses every other command, and runs it if possible;
//   - TestPagesBlocks fails for a block of code that neither of these covers;
//   - TestPagesLinks follows every link between pages.

// A page is a file with its blocks of code, in order.
type page struct {
	path   string // from the top of the repository, with slashes
	text   string
	blocks []codeBlock
}

// A codeBlock is a block of code: fenced, or indented, which has no language.
type codeBlock struct {
	language string
	line     int // of its first line of code, from 1
	text     string
	at, end  int // where its lines are in the page, as bytes
	indent   string
	section  int    // blocks between two headings, or in one <details>, are of one section
	file     string // the name of the file that it shows, if it does
}

// repository is the way from this package to the top of the repository.
const repository = "../../../.."

// readPages reads all pages.
func readPages(t *testing.T) []*page {
	t.Helper()
	var pages []*page
	add := func(path string) {
		text, err := os.ReadFile(filepath.Join(repository, path))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, &page{path: path, text: string(text), blocks: blocksIn(string(text))})
	}
	top, err := filepath.Glob(filepath.Join(repository, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range top {
		add(filepath.Base(path))
	}
	for _, dir := range []string{"docs", ".github"} {
		err := walkSources(dir, func(path string) {
			if strings.HasSuffix(path, ".md") {
				add(path)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return pages
}

// notSources are directories that builds leave behind. They are not in the repository.
var notSources = []string{"node_modules", "dist", ".work", ".astro"}

// walkSources visits the files below a directory of the repository, as a clone contains them.
func walkSources(dir string, visit func(path string)) error {
	return fs.WalkDir(os.DirFS(repository), dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && slices.Contains(notSources, e.Name()):
			return fs.SkipDir
		case !e.IsDir():
			visit(path)
		}
		return nil
	})
}

var (
	fence     = regexp.MustCompile("^( *)(`{3,})([A-Za-z0-9]*) *$")
	newScope  = regexp.MustCompile(`^(#+ |</?details>)`)
	indented  = regexp.MustCompile(`^    \S`)
	hasIndent = regexp.MustCompile(`^    |^\s*$`)
	listItem  = regexp.MustCompile(`^ *([-*]|[0-9]+\.) `)
)

// A pageScanner reads a page line by line.
type pageScanner struct {
	lines   []string
	i, at   int // the next line, and where it starts
	section int
	said    string // the last line of text
	isBlank bool   // the line before was
	inList  bool
	blocks  []codeBlock
}

// blocksIn finds the blocks of code of a page.
func blocksIn(text string) []codeBlock {
	s := &pageScanner{lines: strings.SplitAfter(strings.TrimRight(text, "\n")+"\n", "\n"), isBlank: true}
	s.lines = s.lines[:len(s.lines)-1]
	for s.i < len(s.lines) {
		line := strings.TrimRight(s.lines[s.i], "\n")
		switch m := fence.FindStringSubmatch(line); {
		case m != nil:
			s.next()
			s.take(m[3], m[1], func(l string) bool { return strings.TrimSpace(l) != m[2] })
			s.next()
		case indented.MatchString(line) && s.isBlank && !s.inList:
			s.take("", "    ", func(l string) bool { return hasIndent.MatchString(strings.TrimRight(l, "\n")) })
		default:
			s.read(line)
			s.next()
		}
	}
	return s.blocks
}

// next advances to the next line.
func (s *pageScanner) next() {
	if s.i < len(s.lines) {
		s.at += len(s.lines[s.i])
		s.i++
	}
}

// take makes a block of the lines that belong to it.
func (s *pageScanner) take(language, indent string, belongs func(line string) bool) {
	b := codeBlock{language: language, line: s.i + 1, at: s.at, indent: indent, section: s.section}
	for s.i < len(s.lines) && belongs(s.lines[s.i]) {
		b.text += strings.TrimPrefix(s.lines[s.i], indent)
		s.next()
	}
	b.end, b.file = s.at, b.shows(s.said)
	s.blocks = append(s.blocks, b)
	s.isBlank, s.said = true, ""
}

// read takes notice of a line of text.
func (s *pageScanner) read(line string) {
	switch {
	case newScope.MatchString(line):
		s.section++
		s.inList = false
	case listItem.MatchString(line):
		s.inList = true
	case line != "" && !strings.HasPrefix(line, " "):
		s.inList = false
	}
	if s.isBlank = line == ""; !s.isBlank {
		s.said = line
	}
}

// shownFile and namedFile are how a page names the file that a block shows: in a
// comment, or in the paragraph before.
var (
	shownFile = regexp.MustCompile(`\A(?:#|//) ((?:[\w.-]+/)*[\w.-]+\.(?:tf|tofu|tf\.json|tofu\.json|hcl))\n`)
	namedFile = regexp.MustCompile("^`([\\w./-]+)`:$")
)

// shows is the name of the file that a block shows; said is the line before the block.
func (b *codeBlock) shows(said string) string {
	if m := shownFile.FindStringSubmatch(b.text); m != nil {
		return m[1]
	}
	if m := namedFile.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	return ""
}

// TestPagesScanner checks that the scanner of pages distinguishes code, output and text.
func TestPagesScanner(t *testing.T) {
	const text = "# A\n\n```console\n$ b\nc\n```\n\n- d\n\n      no code\n\n## E\n\n    f  # g\n\n    h\n\ni\n"
	want := []string{"console:4:1:$ b\nc\n", ":14:2:f  # g\n\nh\n\n"}
	blocks := blocksIn(text)
	if len(blocks) != len(want) {
		t.Fatalf("found %d blocks, want %d: %+v", len(blocks), len(want), blocks)
	}
	for i, b := range blocks {
		if got := strings.Join([]string{b.language, itoa(b.line), itoa(b.section), b.text}, ":"); got != want[i] {
			t.Errorf("block %d is %q, want %q", i, got, want[i])
		}
		if got := regexp.MustCompile("(?m)^"+b.indent).ReplaceAllString(text[b.at:b.end], ""); got != b.text {
			t.Errorf("block %d stands at %q, and is %q", i, got, b.text)
		}
	}
}

const maxReadmeLines = 140

// TestReadme limits the front page to a minute of reading, and requires the two commands that
// set up a clone.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > maxReadmeLines {
		t.Errorf("README.md has %d lines, and %d are the most; the rest goes into docs", n, maxReadmeLines)
	}
	for _, command := range []string{"go run ./cmd/tofumerge testdata/modules/web", "go test ./..."} {
		if !strings.Contains(string(text), "\n    "+command+"\n") {
			t.Errorf("README.md lacks the line %q, indented by four spaces: .ci/run reads it there", command)
		}
	}
}
