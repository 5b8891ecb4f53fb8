package cli

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A budget is a row of the table in ARCHITECTURE.md: how many lines of code a capability may have.
type budget struct {
	capability         string
	first, lines, used int
	considered         string // for removal, before the budget was raised
}

// budgets reads the table, and by package which capability it belongs to.
func budgets(t *testing.T) (all []*budget, byPackage map[string]*budget) {
	t.Helper()
	text, err := os.ReadFile(architecture)
	if err != nil {
		t.Fatal(err)
	}
	number := func(cell string) int {
		n, err := strconv.Atoi(strings.ReplaceAll(cell, ",", ""))
		if err != nil {
			t.Errorf("ARCHITECTURE.md, budgets: %v", err)
		}
		return n
	}
	byPackage = map[string]*budget{}
	row := regexp.MustCompile(`(?m)^\| ([a-z -]+) \| ([0-9,]+) \| ([0-9,]+) \| (.*?) ?\| (.*?) ?\|$`)
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		b := &budget{capability: m[1], first: number(m[2]), lines: number(m[3]), considered: m[4]}
		all = append(all, b)
		for name := range strings.FieldsSeq(m[5]) {
			if other := byPackage[name]; other != nil {
				t.Errorf("%s belongs to %s and to %s", name, other.capability, b.capability)
			}
			byPackage[name] = b
		}
	}
	return all, byPackage
}

// TestBudgets fails if a capability has more lines of code than its budget, or so many fewer that the
// budget holds nothing, and for a raised budget that doesn't name what was considered for removal.
func TestBudgets(t *testing.T) {
	const slack = 250
	all, byPackage := budgets(t)
	whole := 0
	for path, p := range packages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(path, "internal/"), "cmd/tofumerge/internal/")
		whole += p.lines
		if b := byPackage[name]; b != nil {
			b.used += p.lines
			delete(byPackage, name)
		} else {
			t.Errorf("%s belongs to no capability: add it to a row of the budgets in ARCHITECTURE.md", name)
		}
	}
	for name, b := range byPackage {
		if b.capability != "whole" {
			t.Errorf("there is no package %s (budget of %s)", name, b.capability)
		}
	}
	for _, b := range all {
		if b.capability == "whole" {
			b.used = whole
		}
		switch {
		case b.used > b.lines:
			t.Errorf("%s has %d lines of code and may have %d: take something out, or raise the budget in ARCHITECTURE.md and name what you considered",
				b.capability, b.used, b.lines)
		case b.used < b.lines-slack:
			t.Errorf("%s has %d lines of code: lower its budget of %d in ARCHITECTURE.md", b.capability, b.used, b.lines)
		case b.lines > b.first && b.considered == "":
			t.Errorf("the budget of %s is raised from %d to %d: name in its row what you considered for removal", b.capability, b.first, b.lines)
		}
	}
	if len(all) < 14 {
		t.Errorf("ARCHITECTURE.md has %d budgets", len(all))
	}
}
