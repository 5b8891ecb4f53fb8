package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
)

// atLeast rounds a number down, so that a new case seldom changes the page.
func atLeast(n int) string {
	step := 10
	if n >= 200 {
		step = 100
	}
	return strconv.Itoa(n/step*step) + "+"
}

// figuresPart states the numbers of rows, cases and promises, and names the test that runs them.
func figuresPart(t *testing.T) string {
	t.Helper()
	cases := func(dir string) string {
		paths, err := filepath.Glob(filepath.Join(repository, "testdata", dir, "*.txtar"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("testdata/%s has no case: %v", dir, err)
		}
		return atLeast(len(paths))
	}
	tofu, terraform := len(engine.OpenTofu.Observed()), len(engine.Terraform.Observed())
	rows := [][]string{
		{atLeast(len(rules.All())), "rows in the table of rules, each with a case", "`go test ./internal/merge -run TestEveryRuleHasACase`"},
		{strconv.Itoa(tofu + terraform), fmt.Sprintf("releases that `--engine` can name, with their differences: %d of OpenTofu, %d of Terraform", tofu, terraform), "`go test ./cmd/tofumerge/internal/cli -run TestEngines`"},
		{cases("live"), "modules that `terraform` or `tofu` on your PATH plans, as they are and as printed", "`go test ./cmd/tofumerge/internal/cli -run TestLive`"},
		{cases("documentation"), "gaps between documentation and behaviour, each with an example that is run", "`go test ./cmd/tofumerge/internal/cli -run TestDocumentation`"},
		{cases("script"), "scripts of commands and their output", "`go test ./cmd/tofumerge -run TestScripts`"},
		{atLeast(countIn(t, "../promises/promises_test.go", "\n\t{\"")), "promises kept for mutated modules, such as: merging the output again changes nothing", "`go test ./cmd/tofumerge/internal/promises -run TestMutants`"},
	}
	return "\n" + table([]string{"", "what", "run it"}, rows) + "\n"
}

// countIn returns how often a text occurs in a file.
func countIn(t *testing.T, name, text string) int {
	t.Helper()
	all, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(all), text)
}
