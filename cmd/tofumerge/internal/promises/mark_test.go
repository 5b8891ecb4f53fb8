package promises_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// Properties of the comments that mark keeps, in every module.

var (
	overriddenLine = regexp.MustCompile(`(?m)(^|\x{FEFF})[ \t]*# overridden: .*\r?\n`)
	overriddenText = regexp.MustCompile(`# overridden: .*\r?\n`)
)

// markedBy applies the patch of mark to files.
func markedBy(t testing.TB, rt *rapid.T, files map[string]string) map[string]string {
	t.Helper()
	patch := runOn(t, files, "mark", "-C")
	marked, err := mergetest.Patch(files, patch.out)
	if err != nil || patch.status != cli.ExitOK {
		rt.Fatalf("status %d, %v\n%s%s", patch.status, err, patch.out, patch.errs)
	}
	return marked
}

// withMarks runs a property on modules that can be marked.
func withMarks(t *testing.T, property func(tb testing.TB, rt *rapid.T, files, marked map[string]string)) {
	withTB(t, func(tb testing.TB, rt *rapid.T, files map[string]string) {
		if got := runOn(tb, files); got.status != cli.ExitOK {
			rt.Skip("refused: " + got.errs)
		}
		property(tb, rt, files, markedBy(tb, rt, files))
	})
}

// Harmless: with the comments the configuration is the same as without.
func TestMarkIsHarmless(t *testing.T) {
	withMarks(t, func(tb testing.TB, rt *rapid.T, files, marked map[string]string) {
		plain, got := runOn(tb, files), runOn(tb, marked)
		bare := overriddenLine.ReplaceAllString(got.out, "$1")
		format := func(text string) string { return string(hclwrite.Format([]byte(mergetest.LineFeeds(text)))) }
		if diff := cmp.Diff(format(plain.out), format(bare)); diff != "" {
			rt.Errorf("(-without comments +with, without them):\n%s", diff)
		}
		if diff := cmp.Diff(mergetest.Meaning(tb, plain.out), mergetest.Meaning(tb, got.out)); diff != "" {
			rt.Errorf("(-without comments +with):\n%s", diff)
		}
		if got.status != cli.ExitOK {
			rt.Errorf("the marked module is refused: %s", got.errs)
		}
	})
}

// At rest: marking again changes nothing, and --check reports that; comments that name other files,
// or that occur twice, are corrected.
func TestMarkIsAtRest(t *testing.T) {
	withMarks(t, func(tb testing.TB, rt *rapid.T, files, marked map[string]string) {
		if diff := cmp.Diff(marked, markedBy(tb, rt, marked)); diff != "" {
			rt.Errorf("marked again (-first +again):\n%s", diff)
		}
		if got := runOn(tb, marked, "mark", "--check", "-C"); got.status != cli.ExitOK || got.out != "" {
			rt.Errorf("--check of a marked module: status %d\n%s", got.status, got.out)
		}
		before, wrong := runOn(tb, files, "mark", "--check", "-C"), map[string]string{}
		if changed := cmp.Diff(files, marked) != ""; (before.status == cli.ExitFound) != changed || (before.out != "") != changed {
			rt.Errorf("--check: status %d, but mark changes something: %t\n%s", before.status, changed, before.out)
		}
		for name, text := range marked {
			wrong[name] = overriddenText.ReplaceAllStringFunc(text, func(line string) string {
				return strings.ReplaceAll(line, "a_override", "gone_override") + line
			})
		}
		if diff := cmp.Diff(marked, markedBy(tb, rt, wrong)); diff != "" {
			rt.Errorf("wrong comments (-want +mended):\n%s", diff)
		}
	})
}

// Clean: without the override files the comments are removed, and every other byte is unchanged. A
// module without override files never changes.
func TestMarkCleansUp(t *testing.T) {
	withMarks(t, func(tb testing.TB, rt *rapid.T, files, marked map[string]string) {
		left := markedBy(tb, rt, mergetest.Primary(marked))
		if diff := cmp.Diff(mergetest.Primary(files), left); diff != "" {
			rt.Errorf("(-before +after the override files went):\n%s", diff)
		}
		if got := runOn(tb, mergetest.Primary(files), "mark", "-C"); got.out != "" {
			rt.Errorf("without override files:\n%s", got.out)
		}
	})
}

// Complete: a module without comments has no overrides that change a block.
func TestMarkIsComplete(t *testing.T) {
	withMarks(t, func(tb testing.TB, rt *rapid.T, files, marked map[string]string) {
		changed := runOn(tb, files, "diff").out
		for name, text := range mergetest.Primary(marked) {
			// Ineffective text beside the earlier items is printed, too.
			if strings.Contains(changed, "a/"+name+"\t") && !strings.Contains(text, "# overridden: ") && !strings.Contains(changed, "+  required_version") {
				rt.Errorf("%s has no comment, but it changes:\n%s", name, changed)
			}
		}
	})
}

// Enough: check requires the comments that mark writes, and no others.
func TestMarkIsEnough(t *testing.T) {
	withMarks(t, func(tb testing.TB, rt *rapid.T, files, marked map[string]string) {
		if left := unmarkedIn(tb, rt, marked); len(left) > 0 {
			rt.Errorf("still found in the marked module: %v", left)
		}
		found, missing := unmarkedIn(tb, rt, files), map[string]bool{}
		for _, line := range commentMissing.FindAllStringSubmatch(runOn(tb, files, "mark", "--check", "-C").out, -1) {
			missing[line[1]] = true
		}
		if diff := cmp.Diff(missing, found); diff != "" {
			rt.Errorf("blocks (-that mark changes +that check finds):\n%s", diff)
		}
	})
}

var commentMissing = regexp.MustCompile(`(?m)^(.*:[0-9]+): the comment is missing`)

// unmarkedIn returns the locations of the blocks that check finds without comments, of which it
// finds each file once.
func unmarkedIn(t testing.TB, rt *rapid.T, files map[string]string) map[string]bool {
	t.Helper()
	got := runOn(t, files, "check", "--enable", "unmarked-override", "--format", "json")
	var report struct {
		Findings []struct {
			Rule    string
			Message string
			Range   struct {
				Filename string
				Start    struct{ Line int }
			}
		}
	}
	if err := json.Unmarshal([]byte(got.out), &report); err != nil {
		rt.Fatalf("%v\n%s%s", err, got.out, got.errs)
	}
	places, known := map[string]bool{}, map[string]bool{}
	for _, x := range report.Findings {
		if x.Rule != "unmarked-override" {
			continue
		}
		place := fmt.Sprintf("%s:%d", x.Range.Filename, x.Range.Start.Line)
		if known[place+x.Message] {
			rt.Errorf("found twice: %s: %s", place, x.Message)
		}
		places[place], known[place+x.Message] = true, true
	}
	return places
}

// Writing has the same result as the patch.
func TestMarkWrites(t *testing.T) {
	withMarks(t, func(tb testing.TB, rt *rapid.T, files, marked map[string]string) {
		dir := clitest.Write(tb, files)
		var out, errs bytes.Buffer
		status := cli.Run(append(clitest.EngineFlag(tb), "mark", "--write", dir), cli.Streams{Out: &out, Err: &errs, Env: func(string) string { return "" }})
		if status != cli.ExitOK || out.Len() > 0 {
			rt.Fatalf("status %d\n%s%s", status, &out, &errs)
		}
		for name, want := range marked {
			got, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(want, string(got)); diff != "" {
				rt.Errorf("%s (-patched +written):\n%s", name, diff)
			}
		}
	})
}
