package check

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/load/textedit"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// A rule is switched off at the item, in the comment that switches others off if there is one.
func TestIgnore(t *testing.T) {
	rule := FindRule("no-effect")
	for _, c := range []struct{ about, before, after string }{
		{"an argument", "locals {\n  a = 1\n}\n", "locals {\n  # tofumerge:ignore no-effect\n  a = 1\n}\n"},
		{
			"below a comment of the author", "locals {\n  # why\n  a = 1\n}\n",
			"locals {\n  # why\n  # tofumerge:ignore no-effect\n  a = 1\n}\n",
		},
		{
			"beside another rule", "locals {\n  # tofumerge:ignore undecided because\n  a = 1\n}\n",
			"locals {\n  # tofumerge:ignore undecided,no-effect because\n  a = 1\n}\n",
		},
		{
			"a comment for the file is another thing", "locals {\n  # tofumerge:ignore-file undecided\n  a = 1\n}\n",
			"locals {\n  # tofumerge:ignore-file undecided\n  # tofumerge:ignore no-effect\n  a = 1\n}\n",
		},
		{"an item that doesn't start its line", "locals { a = 1 }\n", "locals { a = 1 } # tofumerge:ignore no-effect\n"},
		{"before another comment", "locals { a = 1 } # why\n", "locals { a = 1 } /* tofumerge:ignore no-effect */ # why\n"},
		{"a value that is longer than its block", "locals { a = [\n] }\n", "locals { /* tofumerge:ignore no-effect */ a = [\n] }\n"},
		{
			"beside another rule at the end of the line", "locals { a = 1 } # tofumerge:ignore undecided\n",
			"locals { a = 1 } # tofumerge:ignore undecided,no-effect\n",
		},
		{
			"a comment above the block is too far", "# tofumerge:ignore undecided\nlocals { a = 1 }\n",
			"# tofumerge:ignore undecided\nlocals { a = 1 } # tofumerge:ignore no-effect\n",
		},
		{
			"a comment for the file after a byte order mark", "\ufeff# tofumerge:ignore-file undecided\nlocals {\n  a = 1 # tofumerge:ignore undecided\n}\n",
			"\ufeff# tofumerge:ignore-file undecided\nlocals {\n  a = 1 # tofumerge:ignore undecided,no-effect\n}\n",
		},
		{"line ends of Windows", "locals {\r\n\ta = 1\r\n}\r\n", "locals {\r\n\t# tofumerge:ignore no-effect\r\n\ta = 1\r\n}\r\n"},
	} {
		src, diags := loadtest.Files(t, map[string][]byte{"main.tf": []byte(c.before)}, load.Options{})
		if diags.HasErrors() {
			t.Fatal(loadtest.Messages(diags))
		}
		file := src.Files[0]
		edit := Ignore(file.Block(0).Attr("a"), rule)
		if got := string(textedit.Apply(file.Native, 0, len(file.Native), []textedit.Edit{edit})); got != c.after {
			t.Errorf("%s: %q, want %q", c.about, got, c.after)
		}
	}
}

// On a block the comment is on the header line.
func TestIgnoreBlock(t *testing.T) {
	for before, after := range map[string]string{
		"locals {\n}\n":       "locals { # tofumerge:ignore no-effect\n}\n",
		"locals { # why\n}\n": "locals { /* tofumerge:ignore no-effect */ # why\n}\n",
		"locals {}\n":         "locals {} # tofumerge:ignore no-effect\n",
		"# tofumerge:ignore undecided\nlocals { # tofumerge:ignore undecided why\n}\n": "# tofumerge:ignore undecided\nlocals { # tofumerge:ignore undecided,no-effect why\n}\n",
	} {
		src, _ := loadtest.Files(t, map[string][]byte{"main.tf": []byte(before)}, load.Options{})
		file := src.Files[0]
		edit := Ignore(file.Block(0), FindRule("no-effect"))
		if got := string(textedit.Apply(file.Native, 0, len(file.Native), []textedit.Edit{edit})); got != after {
			t.Errorf("%q: %q, want %q", before, got, after)
		}
	}
}

// moduleOf is a module of a primary file and an override file.
func moduleOf(t *testing.T, primary, override string) *merge.Module {
	t.Helper()
	return mergetest.Archive(t, "-- main.tf --\n"+primary+"-- override.tf --\n"+override)
}

const tags = "resource \"shop_till\" \"day\" {\n  tags = { a = 1, b = 2 }\n  size = 1\n}\n"

// A comment that another state of the module doesn't have is found, with its silenced findings.
func TestAddedComments(t *testing.T) {
	override := func(tags, size string) string {
		return fmt.Sprintf("resource \"shop_till\" \"day\" {\n  tags = { a = 2 }%s\n  size = 1%s\n}\n", tags, size)
	}
	was := moduleOf(t, tags, override(" # tofumerge:ignore map-replace-drops-keys why", ""))
	for _, c := range []struct{ now, want string }{
		{override(" # tofumerge:ignore map-replace-drops-keys why", ""), ""},
		{override(" # tofumerge:ignore map-replace-drops-keys another reason", ""), ""},
		{override("", " # tofumerge:ignore equivalent-override"), "3: main doesn't ignore equivalent-override here. The comment silences 1 finding. Have it reviewed, or remove it."},
		{override("", " # tofumerge:ignore undecided,no-effect"), "3: main doesn't ignore undecided and no-effect here. The comment silences nothing that would be reported. Have it reviewed, or remove it."},
		{"# tofumerge:ignore-file map-replace-drops-keys,equivalent-override\n" + override("", ""),
			"1: main doesn't ignore map-replace-drops-keys and equivalent-override here. The comment silences 2 findings. Have it reviewed, or remove it."},
	} {
		m := moduleOf(t, tags, c.now)
		comments := CommentsOf(m.Source)
		for _, f := range Findings(m, nil, func(string) bool { return true }) {
			comments.Silence(&f)
		}
		var got []string
		for _, f := range comments.Added(m, CommentsOf(was.Source), "main") {
			got = append(got, fmt.Sprintf("%d: %s", f.Range.Start.Line, f.Message))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// Warnings of commands follow the same comments; errors do not.
func TestUnignored(t *testing.T) {
	src, diags := loadtest.Files(t, map[string][]byte{
		"main.tf": []byte("resource \"shop_till\" \"day\" {\n}\n"),
		"override.tf": []byte("resource \"shop_till\" \"day\" {\n  lifecycle {\n    # tofumerge:ignore no-effect\n    enabled = false\n  }\n" +
			"  # tofumerge:ignore merge-error\n  depends_on = [a.b]\n}\n"),
	}, load.Options{})
	_, more := merge.Files(src, merge.Options{})
	diags = append(diags, more...)
	shown, silenced := Unignored(src, diags)
	if len(diags) != 2 || len(shown) != 1 || shown[0].Severity != hcl.DiagError || len(silenced) != 1 || silenced[0].Rule.ID != "no-effect" ||
		silenced[0].Warning.Severity != hcl.DiagWarning {
		t.Errorf("%s: shown are %s, silenced %+v", loadtest.Messages(diags), loadtest.Messages(shown), silenced)
	}
	plain := moduleOf(t, tags, tags)
	if shown, silenced := Unignored(plain.Source, diags); len(shown) != 2 || silenced != nil {
		t.Error("without comments something is silenced")
	}
}

// Findings about files and about the program have their rule and location.
func TestFileFindings(t *testing.T) {
	for _, c := range []struct {
		f                Finding
		rule, file, text string
	}{
		{Unreadable("a.tf", errors.New("no such file")), "unreadable", "a.tf", "no such file"},
		{InternalError("a panic"), "internal-error", "", "a panic"},
		{Untracked("a_override.tf"), "untracked-override", "a_override.tf", "never reaches CI"},
		{Ignored("a_override.tf", ".gitignore:3"), "ignored-override", "a_override.tf", "although .gitignore:3 names it"},
	} {
		if c.f.Rule.ID != c.rule || c.f.Range.Filename != c.file || !strings.Contains(c.f.Message, c.text) || c.f.Severity != c.f.Rule.Severity {
			t.Errorf("%+v", c.f)
		}
	}
}

// An explanation that every text about a file has is there once in a list.
func TestTerse(t *testing.T) {
	of := func(name, text string) Finding {
		return Unreadable(name, errors.New(text+diag.TrapOfName(name)))
	}
	found := []Finding{of("a_override.tf", "One."), of("a_override.tf", "Two."), of("b_override.tf", "Three.")}
	var got []Finding
	for _, f := range Terse(found) {
		got = append(got, f)
	}
	if got[0].Message != found[0].Message || got[1].Message != "Two." || got[2].Message != found[2].Message || found[1].Message == "Two." {
		t.Errorf("%q, %q, %q", got[0].Message, got[1].Message, got[2].Message)
	}
}

// A comment that is reported for another reason is not also unused.
func TestWithoutUnused(t *testing.T) {
	m := moduleOf(t, tags, "resource \"shop_till\" \"day\" {\n  size = 2 # tofumerge:ignore no-effect\n  zone = 1 # tofumerge:ignore map-replace-drops-keys\n}\n")
	s := Sieve{Wants: func(Finding) bool { return true }, Comments: CommentsOf(m.Source)}
	s.TakeComments(m, true)
	unused := s.Left.All(m)
	if len(unused) != 2 {
		t.Fatalf("%+v", unused)
	}
	other := FindRule("new-ignore").At(unused[0].Range, "new")
	left := WithoutUnused(append([]Finding{other}, unused...), []Finding{other})
	if len(left) != 2 || left[0].Rule != FindRule("new-ignore") || left[1].Range != unused[1].Range {
		t.Errorf("%+v", left)
	}
}

func TestWithoutLines(t *testing.T) {
	for text, want := range map[string]string{
		"see main.tf:3 and a.tofu.json:12:4": "see main.tf and a.tofu.json", `"a b.tf":3`: `"a b.tf"`, "main.tf:3,1-5: x": "main.tf: x",
		"main.tf:3,1-4,2": "main.tf", "at 10:30": "at 10:30",
	} {
		if got := WithoutLines(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for name, want := range map[string]string{"no-efect": "no-effect", "No-Effect": "no-effect", "something-else": ""} {
		if got := LikeRule(name); got != want {
			t.Errorf("%s is like %q, want %q", name, got, want)
		}
	}
}

// A comment behind the last block is on its line, even if the file ends there.
func TestCommentAtEnd(t *testing.T) {
	src, _ := loadtest.Files(t, map[string][]byte{
		"main.tf":     []byte("locals {\n  a = 1\n}\n"),
		"override.tf": []byte("locals { a = 1 } # tofumerge:ignore equivalent-override"),
	}, load.Options{})
	m, _ := merge.Files(src, merge.Options{})
	found := Findings(m, nil, func(string) bool { return true })
	comments := CommentsOf(src)
	for _, f := range found {
		if f.Rule.ID == "equivalent-override" && !comments.Silence(&f) {
			t.Errorf("%+v is not silenced", f)
		}
	}
	if len(found) == 0 {
		t.Error("nothing is found")
	}
}
