package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"testing"

	"github.com/tofumerge/tofumerge/docs"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// An addressBook lists every name that a rule of check had in a release. Each is an address on the site, which keeps it
// for ever.
type addressBook struct {
	Rules   []string          `json:"rules"`   // sorted
	Renamed map[string]string `json:"renamed"` // old names, to the present ones
}

// readAddresses reads the names that the site knows.
func readAddresses(t *testing.T) *addressBook {
	t.Helper()
	text, err := os.ReadFile("site/rules.json")
	if err != nil {
		t.Fatal(err)
	}
	book := &addressBook{}
	if err := json.Unmarshal(text, book); err != nil {
		t.Fatal(err)
	}
	return book
}

// TestRulesHaveAddresses checks that every rule has a page and a listed address, and that each listed
// name still has one: as a rule, or by a redirect to one.
func TestRulesHaveAddresses(t *testing.T) {
	book := readAddresses(t)
	if !slices.IsSorted(book.Rules) {
		t.Error("site/rules.json: sort the rules")
	}
	for _, r := range check.Rules {
		if docs.Rule(r.ID) == nil {
			t.Errorf("rules/%s.md is missing", r.ID)
		}
		if !slices.Contains(book.Rules, r.ID) {
			t.Errorf("site/rules.json: add %q to the rules", r.ID)
		}
	}
	for _, name := range book.Rules {
		to, isRenamed := book.Renamed[name]
		switch isRule := check.FindRule(name) != nil; {
		case isRule && isRenamed:
			t.Errorf("site/rules.json: %q is a rule; remove its redirect", name)
		case !isRule && !isRenamed:
			t.Errorf("site/rules.json: %q was a rule; add its present name to renamed", name)
		case isRenamed && check.FindRule(to) == nil:
			t.Errorf("site/rules.json: %q redirects to %q, which isn't a rule", name, to)
		}
	}
	for name := range book.Renamed {
		if !slices.Contains(book.Rules, name) {
			t.Errorf("site/rules.json: %q is renamed; keep it among the rules", name)
		}
	}
}

// TestAddressesStay checks that no name was removed from the list since it was first released.
func TestAddressesStay(t *testing.T) {
	history, err := exec.Command("git", "log", "--format=", "-p", "--tags", "--", "site/rules.json").Output()
	if err != nil {
		t.Skip("git is not on this machine, or this is not a repository: ", err)
	}
	book := readAddresses(t)
	for _, m := range regexp.MustCompile(`(?m)^-\s+"([a-z-]+)",?$`).FindAllSubmatch(history, -1) {
		if name := string(m[1]); !slices.Contains(book.Rules, name) {
			t.Errorf("site/rules.json: %q was listed once; add it again, with a redirect", name)
		}
	}
}
