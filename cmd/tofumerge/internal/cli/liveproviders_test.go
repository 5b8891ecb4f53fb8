package cli

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/clitest"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"golang.org/x/tools/txtar"
)

// The providers that list reports for a module agree with the engine's own command.
func TestLiveProviders(t *testing.T) {
	engines := loadtest.LiveEngines(t)
	archive, err := txtar.ParseFile("../../../../testdata/script/list-lock.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "mod/"); ok {
			// Called modules would have to be installed.
			files[name] = calls.ReplaceAllString(string(f.Data), "")
		}
	}
	files[".terraform.lock.hcl"] = "" // no engine would write these locks
	for _, e := range engines {
		for _, syntax := range []string{"native", "json"} {
			dir := clitest.Write(t, files)
			if syntax == "json" {
				text := runOnDir(dir, "-q", "--json", "--engine", e.String())
				dir = clitest.Write(t, map[string]string{"main.tf.json": text.out, ".terraform.lock.hcl": files[".terraform.lock.hcl"]})
			}
			out, errs, ok := e.Run(t, loadtest.Call{Dir: dir, Args: []string{"providers"}})
			if !ok {
				t.Errorf("%s: %s", e, errs)
				continue
			}
			text := runOnDir(dir, "list", "--json", "--engine", e.String()).out
			loadtest.Answered(t, loadtest.Answer{Module: "testdata/script/list-lock.txtar, " + syntax, Claimed: fmt.Sprint(listed(t, text)), Given: fmt.Sprint(neededBy(t, out))})
		}
	}
}

// calls are the blocks about modules that aren't there.
var calls = regexp.MustCompile(`(?s)module "rain" \{.*?\n\}\n|import \{\n  to = module.*?\n\}\n`)

// neededBy returns the providers that a configuration needs according to the engine, apart from the
// built-in one, and how many constraints each has.
func neededBy(t *testing.T, out string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, line := range regexp.MustCompile(`provider\[(.*)\](.*)`).FindAllStringSubmatch(out, -1) {
		if !strings.HasPrefix(line[1], "terraform.io/") {
			found[line[1]] = len(regexp.MustCompile(`[0-9][^,]*`).FindAllString(line[2], -1))
		}
	}
	if len(found) == 0 {
		t.Fatalf("the engine names no provider\n%s", out)
	}
	return found
}

// listed are those that list names.
func listed(t *testing.T, out string) map[string]int {
	t.Helper()
	var report struct {
		OtherFiles []struct {
			Filename  string
			Providers []struct {
				Source      string
				Constraints []any
				RequiredBy  any `json:"required_by"`
			}
		} `json:"other_files"`
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, f := range report.OtherFiles {
		for _, p := range f.Providers {
			if p.RequiredBy != nil {
				found[p.Source] = len(p.Constraints)
			}
		}
	}
	return found
}
