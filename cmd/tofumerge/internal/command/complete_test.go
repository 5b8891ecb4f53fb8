package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/terminal"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load/input"
)

// words are the words of a run in a directory. A shell has the flags before a word parsed twice.
func words(dir string) Words {
	return Words{IsWanted: true, Workspace: &workspace.Workspace{
		Console:     terminal.Silent(strings.NewReader(""), func(string) string { return "" }),
		Chdirs:      []string{dir, dir},
		MaxFileSize: input.MaxFileSize,
	}}
}

const files = `
-- main.tf --
resource "aws_instance" "web" {
  ami  = "a"
  tags = { Name = "n", "$(rm)" = 1, "a b" = 2 }
}
variable "region" {
}
-- override.tf --
locals {
}
-- dev_override.tf --
-- z_override.tofu --
-- override.tf.json --
-- modules/web/main.tf --
variable "size" {
}
-- other/main.tf --
-- .hidden/main.tf --
-- -odd/main.tf --
`

type completion func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective)

func TestWords(t *testing.T) {
	const noFiles, noSpace, dirs = cobra.ShellCompDirectiveNoFileComp, cobra.ShellCompDirectiveNoSpace, cobra.ShellCompDirectiveFilterDirs
	dir := clitest.Tree(t, files)
	for _, test := range []struct {
		name string
		of   func(Words) completion
		args []string
		word string
		want []string
		how  cobra.ShellCompDirective
	}{
		{"a directory", func(w Words) completion { return w.Dir }, nil, "mod", []string{dir}, dirs},
		{"a second directory", func(w Words) completion { return w.Dir }, []string{"."}, "mod", nil, noFiles},
		{"directories", func(w Words) completion { return w.Dirs }, []string{"."}, "mod", []string{dir}, dirs},
		{"the first word", func(w Words) completion { return w.Root }, nil, "", []string{"modules/", "other/"}, noFiles | noSpace},
		{"the first word that starts", func(w Words) completion { return w.Root }, nil, "mo", []string{"modules/"}, noFiles | noSpace},
		{"no such word", func(w Words) completion { return w.Root }, nil, "x", nil, noFiles},
		{"a path", func(w Words) completion { return w.Root }, nil, "./m", []string{dir}, dirs},
		{"an address", func(w Words) completion { return w.Addresses }, nil, "aws_instance.web.", []string{"aws_instance.web.ami", "aws_instance.web.tags"}, noFiles},
		{"a key, if a shell does nothing with it", func(w Words) completion { return w.Addresses }, nil, "aws_instance.web.tags.", []string{"aws_instance.web.tags.Name"}, noFiles},
		{"an address elsewhere", func(w Words) completion { return w.Addresses }, []string{"modules/web"}, "var", []string{"var.size"}, noFiles},
		{"beside a file", func(w Words) completion { return w.Addresses }, []string{"modules/web/main.tf"}, "var", []string{"var.size"}, noFiles},
		{"where there is no module", func(w Words) completion { return w.Addresses }, []string{"modules"}, "var", nil, noFiles},
		{"override files", func(w Words) completion { return w.OverrideFiles }, nil, "", []string{"dev_override.tf", "override.tf", "override.tf.json", "z_override.tofu"}, noFiles},
		{"override files that start", func(w Words) completion { return w.OverrideFiles }, nil, "d", []string{"dev_override.tf"}, noFiles},
		{"nothing", func(Words) completion { return Nothing }, nil, "", nil, noFiles},
		{"rules", func(Words) completion { return Rules }, nil, "no-eff", []string{"no-effect"}, noFiles},
		{"engines", func(Words) completion { return Engines }, nil, "opentofu@1.1", []string{"opentofu@1.10", "opentofu@1.11", "opentofu@1.12", "opentofu@1.13"}, noFiles},
		{"revisions outside of a repository", func(w Words) completion { return w.Revisions }, nil, "", nil, noFiles},
	} {
		t.Run(test.name, func(t *testing.T) {
			list, how := test.of(words(dir))(nil, test.args, test.word)
			var got []string
			for _, c := range list {
				name, _, _ := strings.Cut(c, "\t") // and the description
				got = append(got, name)
			}
			slices.Sort(got)
			if diff := cmp.Diff(test.want, got); diff != "" || how != test.how {
				t.Errorf("how %d, want %d, -want +got:\n%s", how, test.how, diff)
			}
		})
	}
}

// A word that can be a directory or an address is one of either.
func TestDirOrAddress(t *testing.T) {
	dir := clitest.Tree(t, files)
	isDir := func(name string) bool { return name == "modules/web" }
	for _, test := range []struct {
		args []string
		word string
		want string
	}{
		{nil, "./", dir}, {nil, "var", "var.region"}, {[]string{"modules/web"}, "var", "var.size"}, {[]string{"var.region"}, "var", "var.region"},
	} {
		got, _ := words(dir).DirOrAddress(nil, test.args, test.word, isDir)
		if !slices.Equal(got, []string{test.want}) {
			t.Errorf("%v %s: %v, want %s", test.args, test.word, got, test.want)
		}
	}
}

// Of very many addresses only how they go on up to the next dot is listed.
func TestMany(t *testing.T) {
	var text strings.Builder
	for i := range 600 {
		fmt.Fprintf(&text, "resource \"a_b\" \"r%d\" {\n}\nvariable \"v%d\" {\n}\n", i, i)
	}
	got, how := words(clitest.Tree(t, "-- main.tf --\n"+text.String())).Addresses(nil, nil, "")
	if !slices.Equal(got, []string{"a_b.", "var."}) || how != cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace {
		t.Errorf("%d words, %d: %.100s", len(got), how, got)
	}
}

// Revisions are the repository's, without those that a shell would act on.
func TestRevisions(t *testing.T) {
	dir := clitest.Tree(t, files)
	clitest.Commit(t, dir)
	clitest.Git(t, dir, "branch", "feature/a")
	clitest.Git(t, dir, "tag", "v1")
	clitest.Git(t, dir, "tag", "$(v2)")
	got, _ := words(dir).Revisions(nil, nil, "")
	slices.Sort(got)
	if !slices.Equal(got, []string{"feature/a", "main", "v1"}) {
		t.Errorf("%v", got)
	}
	if got, _ = words(dir).Revisions(nil, nil, "f"); !slices.Equal(got, []string{"feature/a"}) {
		t.Errorf("%v", got)
	}
}

// A flag gets its function only for completion.
func TestForFlag(t *testing.T) {
	for _, wanted := range []bool{false, true} {
		cmd := &cobra.Command{}
		cmd.Flags().String("x", "", "")
		w := Words{IsWanted: wanted}
		w.ForFlag(cmd, "x", Nothing)
		if _, has := cmd.GetFlagCompletionFunc("x"); has != wanted {
			t.Errorf("wanted %v: %v", wanted, has)
		}
	}
}
