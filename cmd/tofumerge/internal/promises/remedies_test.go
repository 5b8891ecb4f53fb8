package promises_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"golang.org/x/tools/txtar"
)

// TestRemedies follows the message of each finding, and checks the module again: the finding is
// gone, and the engine accepts the module if it did before. The modules are in testdata/remedies;
// the first line of each names the rules that must find something, and the release if the module is
// for one only.
func TestRemedies(t *testing.T) {
	list, err := filepath.Glob("testdata/remedies/*.txtar")
	if err != nil || len(list) == 0 {
		t.Fatal("no modules: ", err)
	}
	for _, path := range list {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range archive.Files {
				files[f.Name] = string(f.Data)
			}
			first, _, _ := strings.Cut(string(archive.Comment), "\n")
			found := map[string]bool{}
			var rules, releases []string
			for _, word := range strings.Fields(first) {
				if strings.Contains(word, "@") {
					releases = append(releases, word)
				} else {
					rules = append(rules, word)
				}
			}
			if releases == nil {
				releases = allRemedied()
			}
			for _, r := range releases {
				maps.Copy(found, applyRemedies(t, files, r))
			}
			for _, rule := range rules {
				if !found[rule] {
					t.Errorf("no engine finds %s", rule)
				}
			}
		})
	}
}

// remediedReleases differ in the possible overrides.
var remediedReleases = map[engine.Product][]string{
	engine.OpenTofu:  {"1.6", "1.8", "1.10", "1.12"},
	engine.Terraform: {"1.9", "1.11", "1.15"},
}

func allRemedied() (list []string) {
	for _, e := range engine.Products() {
		for _, r := range remediedReleases[e] {
			list = append(list, string(e)+"@"+r)
		}
	}
	return list
}

// applyRemedies follows the messages of a module's findings, one at a time, and returns the rules.
func applyRemedies(t *testing.T, files map[string]string, release string) map[string]bool {
	t.Helper()
	rules := map[string]bool{}
	before := findingsIn(t, files, release)
	for _, f := range before {
		rules[f.Rule] = true
		next, ok := remedied(t, files, f, release)
		if !ok {
			t.Errorf("%s: no remedy in %q", release, f.Message)
			continue
		}
		after := findingsIn(t, next, release)
		counts := countsOf(after)
		if counts[f.Rule] >= countsOf(before)[f.Rule] {
			t.Errorf("%s: %s is still found after: %s\n%v\n%+v", release, f.Rule, f.Message, next, after)
		}
		for _, other := range after {
			if other.Severity == "error" && countsOf(before)[other.Rule] == 0 {
				t.Errorf("%s: %s\nleads to: %s\n%v", release, f.Message, other.Message, next)
			}
		}
	}
	return rules
}

// A remediable is a finding from the report.
type remediable struct {
	Rule, Severity, Path, Message string
	Range                         struct{ Start struct{ Line int } }
}

func countsOf(found []remediable) map[string]int {
	counts := map[string]int{}
	for _, f := range found {
		counts[f.Rule]++
	}
	return counts
}

func findingsIn(t *testing.T, files map[string]string, release string) []remediable {
	t.Helper()
	var report struct{ Findings []remediable }
	got := runIn(t, clitest.Write(t, files), "check", "--engine", release, "--json")
	if err := json.Unmarshal([]byte(got.out), &report); err != nil {
		t.Fatalf("%v\n%s", err, got.errs)
	}
	return report.Findings
}

// A verb carries out some words of a message, given the submatches of its pattern.
type verb struct {
	words *regexp.Regexp
	do    func(files lines, at spot, match []string)
}

// verbs are tried in this order.
var verbs = []verb{
	{regexp.MustCompile(`Remove \S+ at (\S+:\d+(?:, \S+:\d+)*)( instead)?\.`), func(files lines, at spot, match []string) {
		if match[2] != "" {
			files.set(at, "")
		}
		for _, p := range strings.Split(match[1], ", ") {
			files.set(spotOf(p), "")
		}
	}},
	{regexp.MustCompile(`Set (\S+ = \S+) at (\S+)\.`), func(files lines, _ spot, match []string) {
		files.set(spotOf(match[2]), match[1])
	}},
	{regexp.MustCompile(`Set (\S+ = \S+) in the block at (\S+)\.`), func(files lines, _ spot, match []string) {
		files.under(spotOf(match[2]), match[1])
	}},
	{regexp.MustCompile(`Change it at (\S+) instead\.`), func(files lines, at spot, match []string) {
		files.set(spotOf(match[1]), files.get(at))
		files.set(at, "")
	}},
	{regexp.MustCompile(`Move it to the \S+ block at (\S+)\.`), func(files lines, at spot, match []string) {
		files.under(spotOf(match[1]), files.get(at))
		files.set(at, "")
	}},
	{regexp.MustCompile(`To use it instead of \S+ at (\S+), remove that and move this to the (\S+) block at (\S+)\.`), func(files lines, at spot, match []string) {
		line := files.get(at)
		if match[2] != "lifecycle" {
			line = "lifecycle {\n" + line + "\n}"
		}
		files.set(spotOf(match[1]), "")
		files.set(at, "")
		files.under(spotOf(match[3]), line)
	}},
	{regexp.MustCompile(`Move it to a \.tofu file\.`), func(files lines, at spot, _ []string) {
		files["versions.tofu"] = []string{"terraform {", files.get(at), "}"}
		files.set(at, "")
	}},
	{regexp.MustCompile(`rename it to (\S+)\.`), func(files lines, at spot, match []string) {
		if files[match[1]] == nil { // else it would be lost
			files[match[1]] = files[at.file]
			delete(files, at.file)
		}
	}},
	{regexp.MustCompile(`Remove (?:it|this line|one of the two)\b`), func(files lines, at spot, _ []string) {
		if at.line == 0 {
			delete(files, at.file)
			return
		}
		files.set(at, "")
	}},
}

// remedied returns the files of a module after the remedy of a finding.
func remedied(t *testing.T, files map[string]string, f remediable, release string) (map[string]string, bool) {
	t.Helper()
	if strings.Contains(f.Message, "Repeat ") {
		patch := runIn(t, clitest.Write(t, files), "check", "--engine", release, "--fix", "-C")
		next, err := mergetest.Patch(files, patch.out)
		if err != nil {
			t.Fatal(err)
		}
		return next, patch.out != ""
	}
	all := lines{}
	for name, text := range files {
		all[name] = strings.Split(text, "\n")
	}
	at := spot{filepath.Base(f.Path), f.Range.Start.Line}
	for _, d := range verbs {
		if match := d.words.FindStringSubmatch(f.Message); match != nil {
			d.do(all, at, match)
			return all.files(), true
		}
	}
	return nil, false
}

type spot struct {
	file string
	line int
}

func spotOf(text string) spot {
	i := strings.LastIndexByte(text, ':')
	line, _ := strconv.Atoi(text[i+1:])
	return spot{text[:i], line}
}

// lines are the lines of files.
type lines map[string][]string

func (l lines) get(at spot) string         { return l[at.file][at.line-1] }
func (l lines) set(at spot, text string)   { l[at.file][at.line-1] = text }
func (l lines) under(at spot, text string) { l[at.file] = slices.Insert(l[at.file], at.line, text) }
func (l lines) files() (all map[string]string) {
	all = map[string]string{}
	for name, list := range l {
		all[name] = strings.Join(list, "\n")
	}
	return all
}
