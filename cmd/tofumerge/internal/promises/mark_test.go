package promises_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"pgregory.net/rapid"
)

// Properties of the comments that check --fix keeps, in every module.

// marking are the flags that limit check to these comments.
var marking = []string{"--enable", "unmarked-override", "--select", "unmarked-override"}

var (
	overriddenLine = regexp.MustCompile(`(?m)(^|\x{FEFF})[ \t]*# overridden: .*\r?\n`)
	overriddenText = regexp.MustCompile(`# overridden: .*\r?\n`)
)

// markedBy applies the patch of the comments to files. Without one, check finds nothing.
func markedBy(t testing.TB, rt *rapid.T, files map[string]string) map[string]string {
	t.Helper()
	patch := runOn(t, files, slices.Concat([]string{"check", "--fix"}, marking, []string{"-C"})...)
	marked, err := mergetest.Patch(files, patch.out)
	if err != nil || patch.status == cli.ExitFailed || (patch.status == cli.ExitOK) != (patch.out == "") {
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

// At rest: marking again changes nothing; comments that name other files, or that occur twice, are
// corrected.
func TestMarkIsAtRest(t *testing.T) {
	withMarks(t, func(tb testing.TB, rt *rapid.T, files, marked map[string]string) {
		if diff := cmp.Diff(marked, markedBy(tb, rt, marked)); diff != "" {
			rt.Errorf("marked again (-first +again):\n%s", diff)
		}
		wrong := map[string]string{}
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
		if diff := cmp.Diff(mergetest.Primary(files), markedBy(tb, rt, mergetest.Primary(files))); diff != "" {
			rt.Errorf("without override files (-before +after):\n%s", diff)
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

// Exact: the blocks about which check finds something are those that get a comment.
func TestMarkIsExact(t *testing.T) {
	withMarks(t, func(tb testing.TB, rt *rapid.T, files, marked map[string]string) {
		commented := 0
		for name, text := range marked {
			commented += strings.Count(text, "# overridden: ") - strings.Count(files[name], "# overridden: ")
		}
		if found := unmarkedIn(tb, rt, files); len(found) != commented {
			rt.Errorf("%d blocks get a comment, but check finds %v", commented, found)
		}
	})
}

// unmarkedIn returns the locations of the blocks that check finds without comments, of which it
// finds each file once.
func unmarkedIn(t testing.TB, rt *rapid.T, files map[string]string) map[string]bool {
	t.Helper()
	got := runOn(t, files, append([]string{"check", "--format", "json"}, marking...)...)
	var report struct {
		Findings []struct {
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
		place := fmt.Sprintf("%s:%d", x.Range.Filename, x.Range.Start.Line)
		if known[place+x.Message] {
			rt.Errorf("found twice: %s: %s", place, x.Message)
		}
		places[place], known[place+x.Message] = true, true
	}
	return places
}

// Writing has the same result as the patch, and leaves nothing to find.
func TestMarkWrites(t *testing.T) {
	withMarks(t, func(tb testing.TB, rt *rapid.T, files, marked map[string]string) {
		dir := clitest.Write(tb, files)
		var out, errs bytes.Buffer
		args := append(append(clitest.EngineFlag(tb), "check", "--fix", "--write", dir), marking...)
		status := cli.Run(args, cli.Streams{Out: &out, Err: &errs, Env: func(string) string { return "" }})
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
