package discover

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ignored reports whether a search that starts at the top skips a directory, for the texts of
// .gitignore files by the paths of their directories.
func ignored(files map[string]string, dir string) bool {
	scope := NewScope(Parse([]byte(files[""])))
	for i := range len(dir) + 1 {
		if i < len(dir) && dir[i] != '/' {
			continue
		}
		if scope.Ignores(dir[:i]) {
			return true
		}
		scope = scope.Within(dir[:i], Parse([]byte(files[dir[:i]])))
	}
	return false
}

func TestIgnores(t *testing.T) {
	for _, test := range []struct {
		patterns, ignored, kept string
	}{
		{"build", "build a/build", "builds a/b"},
		{"build/", "build a/build", "builds"},
		{"/build", "build", "a/build"},
		{"a/build", "a/build a/build/x", "b/a/build"},
		{"**/build", "build a/b/build", "builder"},
		{"a/**", "a/b a/b/c", "a b/a"},
		{"a/**/b", "a/b a/x/b a/x/y/b", "b a/x a/xb"},
		{"a**b", "ab axb x/ab", "a/b"},
		{"*", "a .a", ""},
		{"*/", "a", ""},
		{"*\n!keep", "a a/b", "keep"},
		{"*\n!a/\n!a/keep", "b a/b", "a a/keep"},
		{"!keep\nkeep", "keep", ""},
		{"\\!a", "!a", "a"},
		{"\\#a\n#b", "#a", "b #b"},
		{"a ", "a", "b"},
		{"a\\ ", "a\\ ", "a"},
		{"\xef\xbb\xbfa\r\nb\r\n", "a b", "c"},
		{"[a-c]x", "ax cx", "dx a/x"},
		{"[!a-c]x", "dx", "ax"},
		{"[^a]", "b", "a"},
		{"[]]", "]", "["},
		{"[[:digit:]_]", "0 _", "a :"},
		{"[[:wrong:]]", "", "w ["},
		{"[a", "", "a [a"},
		{"a\\", "", "a a\\"},
		{"x[a/b]c", "xac xbc", "x/c a/xac"},
		{"?", "a", "ab é"},
		{"x?y/z", "xay/z", "x/y/z"},
		{"*a*b*c*d", "abcd xaxbxcxd", "abc dcba"},
		{"/", "", "a"},
		{"override.tf\n*_override.tf", "override.tf", "a"},
	} {
		for dir := range strings.FieldsSeq(test.ignored) {
			if dir = strings.ReplaceAll(dir, "\\", " "); dir == "a " && test.patterns != "a\\ " {
				continue
			}
			if !ignored(map[string]string{"": test.patterns}, dir) {
				t.Errorf("%q does not ignore %q", test.patterns, dir)
			}
		}
		for dir := range strings.FieldsSeq(test.kept) {
			if ignored(map[string]string{"": test.patterns}, dir) {
				t.Errorf("%q ignores %q", test.patterns, dir)
			}
		}
	}
}

// The patterns of a nearer file take precedence over those of one further up.
func TestNestedIgnores(t *testing.T) {
	files := map[string]string{"": "x\n/b/only", "a": "!x\n/y", "a/z": "x"}
	for dir, want := range map[string]bool{
		"x": true, "a/x": false, "a/z/x": true, "a/y": true, "a/w/y": false, "y": false, "b/only": true, "a/b/only": false,
	} {
		if ignored(files, dir) != want {
			t.Errorf("%s: ignored is not %v", dir, want)
		}
	}
}

// Backtracking without bounds would take years.
func TestHostile(t *testing.T) {
	name := strings.Repeat("a", 4000)
	path := strings.Repeat("a/", 2000) + "b"
	for _, pattern := range []string{
		strings.Repeat("*a", 500) + "b",
		strings.Repeat("**/a/", 500) + "c",
		strings.Repeat("**/*a*/", 500) + "c",
		strings.Repeat("*[a-z]?", 500) + "/x",
		strings.Repeat("[", 4000),
		strings.Repeat("**/", 4000),
	} {
		for _, p := range Parse([]byte(pattern)) {
			for _, dir := range []string{name, path} {
				if _, work := p.Matches(dir); work > 10*len(pattern)*len(dir) {
					t.Errorf("%.20s… takes %d steps", pattern, work)
				}
			}
		}
	}
	many := Parse([]byte(strings.Repeat("*a*a*a*a*b\n", 100_000)))
	scope := NewScope(many)
	for range 10_000 {
		scope.Ignores(name[:200])
	}
	if !scope.IsExhausted() || scope.Ignores("b") {
		t.Error("patterns still count after a billion steps")
	}
}

// The results equal git's, for random patterns and directories.
func TestAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is missing")
	}
	top := t.TempDir()
	git := func(stdin string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", top, "-c", "core.excludesFile="}, args...)...)
		cmd.Stdin = strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+top)
		out, err := cmd.Output()
		if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
			t.Fatal(args, err)
		}
		return string(out)
	}
	git("", "init", "-q")
	var dirs []string
	for _, a := range []string{"a", "b", "ab", "a b", "[x]"} {
		for _, b := range []string{"", "/a", "/b", "/ba", "/a/b", "/b/a/ab"} {
			dirs = append(dirs, a+b)
			if err := os.MkdirAll(filepath.Join(top, a+b), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "*", "**", "/", "?", "[ab]", "[!a]", "\\a", " ", "!", "**/", "/**", "ab", "[[:alpha:]]"}
	for range 60 {
		files := map[string]string{}
		for _, dir := range []string{"", "a", "b/a"} {
			var text strings.Builder
			for range random.IntN(3) + 1 {
				for range random.IntN(5) + 1 {
					text.WriteString(pieces[random.IntN(len(pieces))])
				}
				text.WriteString("\n")
			}
			files[dir] = text.String()
			if err := os.WriteFile(filepath.Join(top, dir, ".gitignore"), []byte(files[dir]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		out := git(strings.Join(dirs, "\x00"), "check-ignore", "--no-index", "-z", "--stdin")
		for _, dir := range dirs {
			want := slices.Contains(strings.Split(out, "\x00"), dir)
			if got := ignored(files, dir); got != want {
				t.Errorf("%q: ignored is %v for %q, for git %v", dir, got, files, want)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("a/**/b\n!*[!x-z]?\\ \n"), "a/b/c")
	f.Fuzz(func(t *testing.T, text []byte, path string) {
		for _, p := range Parse(text) {
			if _, work := p.Matches(path); work > 10*(len(text)+1)*(len(path)+1) {
				t.Errorf("%d steps", work)
			}
		}
		if bytes.ContainsAny(text, "\n") {
			return
		}
		_, _ = One(string(text))
	})
}
