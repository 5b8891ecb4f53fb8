package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"pgregory.net/rapid"
)

// What must hold of everything that shows the histories of a module.

var (
	markLine     = regexp.MustCompile(`(?m)^[ \t]*# (override|added|replaced|merged|no effect): .*\n([ \t]*#   dropped: .*\n)?`)
	markTrailing = regexp.MustCompile(`(?m) ?# (override|added|replaced|merged|no effect): .*$`)
)

// Marks: without them, and laid out again, the text is the one that is printed
// without them.
func TestMarks(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		plain := runOn(tb, files)
		if plain.status != exitOK {
			rt.Skip("refused: " + plain.errs)
		}
		marked := runOn(tb, files, "--annotate")
		bare := markTrailing.ReplaceAllString(markLine.ReplaceAllString(normal(marked.out), ""), "")
		want := string(hclwrite.Format([]byte(normal(plain.out))))
		if diff := cmp.Diff(want, string(hclwrite.Format([]byte(bare)))); diff != "" {
			rt.Errorf("(-plain +marked, without marks):\n%s\n%s", diff, marked.out)
		}
		if marked.errs != plain.errs {
			rt.Errorf("marks change the warnings (-plain +marked):\n%s", cmp.Diff(plain.errs, marked.errs))
		}
	})
}

// Provenance: with it, JSON is the same module.
func TestProvenance(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		plain := runOn(tb, files, "--json")
		if plain.status != exitOK {
			rt.Skip("refused: " + plain.errs)
		}
		annotated := runOn(tb, files, "--json", "--annotate")
		want := runOn(tb, map[string]string{"main.tf.json": plain.out})
		got := runOn(tb, map[string]string{"main.tf.json": annotated.out})
		if diff := cmp.Diff(want.out, got.out); diff != "" || got.status != exitOK {
			rt.Errorf("(-plain +annotated):\n%s%s", diff, got.errs)
		}
		if plain.out == annotated.out && runOn(tb, files, "diff", "--detailed-exitcode").status != exitOK {
			rt.Error("something changed, and JSON does not tell what")
		}
	})
}

// Patch: applied to the primary files, it gives what is printed of them, however
// much stands around each change.
func TestPatch(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		plain := runOn(tb, files)
		if plain.status != exitOK {
			rt.Skip("refused: " + plain.errs)
		}
		patch := runOn(tb, files, "diff", "-U", strconv.Itoa(rapid.IntRange(0, 4).Draw(rt, "context")))
		patched, err := applied(onlyPrimary(files), patch.out)
		if err != nil {
			rt.Fatalf("%v\n%s", err, patch.out)
		}
		alone := runOn(tb, patched)
		if diff := cmp.Diff(plain.out, alone.out); diff != "" {
			rt.Errorf("(-printed +patched):\n%s\n%s", diff, patch.out)
		}
	})
}

// applied is a patch's effect on files, as far as the patches of this program go.
func applied(files map[string]string, patch string) (map[string]string, error) {
	files = maps.Clone(files)
	header := regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$`)
	var name string
	var old, out []string
	at := 0
	flush := func() {
		if name != "" {
			files[name] = strings.Join(append(out, old[at:]...), "")
		}
	}
	lines := strings.SplitAfter(patch, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "--- a/"):
			flush()
			name = strings.TrimSuffix(strings.TrimPrefix(line, "--- a/"), "\t\n")
			old, out, at = strings.SplitAfter(files[name], "\n"), nil, 0
			i++
		case strings.HasPrefix(line, "@@"):
			m := header.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if m == nil {
				return nil, fmt.Errorf("no header of a hunk: %q", line)
			}
			from, _ := strconv.Atoi(m[1])
			if m[2] != "0" {
				from--
			}
			out, at = append(out, old[at:from]...), from
		case strings.HasPrefix(line, `\`) || line == "":
		default:
			text := line[1:]
			if i+1 < len(lines) && strings.HasPrefix(lines[i+1], `\`) {
				text = strings.TrimSuffix(text, "\n")
			}
			if line[0] != '+' {
				if at == len(old) || old[at] != text {
					return nil, fmt.Errorf("%s does not have the line %q", name, text)
				}
				at++
			}
			if line[0] != '-' {
				out = append(out, text)
			}
		}
	}
	flush()
	return files, nil
}

// Explanations: what explain calls effective is what is printed.
func TestExplained(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		plain := runOn(tb, files)
		if plain.status != exitOK {
			rt.Skip("refused: " + plain.errs)
		}
		want := effective(tb, map[string]string{"main.tf": plain.out})
		if diff := cmp.Diff(want, effective(tb, files)); diff != "" {
			rt.Errorf("(-printed +explained):\n%s", diff)
		}
	})
}

// effective lists the values in effect of arguments, and the number of the last
// block of each type, by address.
func effective(t testing.TB, files map[string]string) map[string]string {
	t.Helper()
	got := runOn(t, files, "explain", "--all", "--json", "-C")
	var doc report.Report
	if err := json.Unmarshal([]byte(got.out), &doc); err != nil {
		t.Fatalf("%v\n%s", err, got.errs)
	}
	values := map[string]string{}
	for _, h := range doc.Histories {
		for i, it := range h.Effective {
			text := strconv.Itoa(i)
			switch {
			case slices.ContainsFunc(h.Steps, func(s report.StepRecord) bool { return s.Status == "merged" }):
				text = "merged" // of several blocks that hold one body, how many does not count
			case it.Value != nil:
				text = strings.Join(strings.Fields(*it.Value), " ")
			}
			values[h.Address] = h.Kind + " " + text
		}
	}
	return values
}

// List: it tells of each file that has an override with an effect, and of nothing
// that a primary file does.
func TestListed(t *testing.T) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		got := runOn(tb, files, "list", "--json")
		var doc report.Report
		if err := json.Unmarshal([]byte(got.out), &doc); err != nil {
			rt.Fatalf("%v\n%s", err, got.errs)
		}
		listed := map[string]bool{}
		for _, f := range doc.Files {
			listed[f.Filename] = true
			if want := isOverride(f.Filename); (f.Role == "override") != want {
				rt.Errorf("%s has the role %q", f.Filename, f.Role)
			}
			for _, e := range f.Effects {
				if e.Range.Filename != f.Filename {
					rt.Errorf("%s: %s stands in %s", f.Filename, e.Address, e.Range.Filename)
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if !listed[name] {
				rt.Errorf("%s is not listed", name)
			}
		}
	})
}
