package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
)

// namesPart lists what not all releases know, and what it is to the others.
func namesPart() string {
	c := readCatalog()
	var rows [][]string
	for path := range load.Catalog() {
		is := map[load.Standing]func(load.Engine) bool{}
		for s := load.Unknown; s <= load.Known; s++ {
			is[s] = func(e load.Engine) bool { return c.hasParent(path, e) && c.standing(path, e) == s }
		}
		var elsewhere [][2]string
		if plain := load.WordReleases(is[load.Unheeded]); plain != "" {
			elsewhere = append(elsewhere, [2]string{"an ordinary name", plain})
		}
		refused := func(e load.Engine) bool { return is[load.Unknown](e) || is[load.Refused](e) }
		if errors := load.WordReleases(refused); errors != "" {
			elsewhere = append(elsewhere, [2]string{"an error", errors})
		}
		known := load.WordReleases(is[load.Known])
		if len(elsewhere) == 0 || known == "" && len(elsewhere) == 1 {
			continue
		}
		rows = append(rows, []string{dotted(path), since(load.OpenTofu, is[load.Known]), since(load.Terraform, is[load.Known]), otherwise(elsewhere)})
	}
	return "\n" + table([]string{"name", "OpenTofu", "Terraform", "elsewhere"}, rows) + "\n"
}

// hasParent tells whether an engine knows the block around a path.
func (c catalog) hasParent(path string, e load.Engine) bool {
	around := parents(path)
	return len(around) == 0 || c.standing(around[0], e) == load.Known
}

// since words the releases of one product that a set has.
func since(p load.Product, has func(load.Engine) bool) string {
	words := load.WordReleases(func(e load.Engine) bool { return e.Product == p && has(e) })
	switch words {
	case "":
		return "–"
	case p.Title():
		return "all"
	}
	return shortRun(p, words)
}

// shortRun words releases of one product for a narrow column.
func shortRun(p load.Product, words string) string {
	return strings.ReplaceAll(strings.TrimPrefix(words, p.Title()+" "), " and later", "+")
}

// otherwise words what a name is to releases that do not know it; where that is
// more than one thing, with the releases.
func otherwise(list [][2]string) string {
	if len(list) == 1 {
		return list[0][0]
	}
	var words []string
	for _, x := range list {
		words = append(words, fmt.Sprintf("%s (%s)", x[0], x[1]))
	}
	return strings.Join(words, ", ")
}

// kindWords say what an argument takes.
var kindWords = map[load.Kind]string{
	load.Expression:       "an expression",
	load.Inert:            "anything: it is not looked at",
	load.Setting:          "a constant `true` or `false`",
	load.Text:             "a constant text",
	load.Notice:           "a constant text, not an empty one",
	load.Constraint:       "a constant version constraint",
	load.EngineConstraint: "a constant version constraint",
	load.Source:           "an expression",
	load.FixedSource:      "a constant text",
	load.Reference:        "an address with constant keys",
	load.ImportAddress:    "an address, whose keys may be expressions",
	load.Literal:          "an expression",
	load.Method:           "a reference to a method",
	load.KeySource:        "a key provider",
	load.NativeExpression: "an expression; in JSON a constant",
	load.OldEdition:       "the keyword `TF2021`",
	load.Events:           "`before_` or `after_` and `create`, `update` or `destroy`",
	load.EarlyEvents:      "`before_` or `after_` and `create` or `update`",
}

var readingWords = map[load.Reading]string{
	load.AsTemplate:  "a template",
	load.AsText:      "as it is",
	load.AsReference: "a bare reference or keyword",
	load.AsSource:    "a bare expression",

	load.AsBareReference:       "a bare reference",
	load.AsReferenceOrTemplate: "a reference, or a template",
}

// A use is what an argument takes, and how a string for it is read in JSON.
type use struct{ takes, reading string }

// valuesPart lists the arguments that take another kind of value, or whose strings
// in JSON are read in another way, in different releases.
func valuesPart(t *testing.T) string {
	t.Helper()
	var rows [][]string
	for path, meaning := range load.Catalog() {
		where := map[use][]load.Engine{}
		var order []use
		isOwned := false
		for _, e := range load.Observed() {
			m := meaning(e)
			if m.Standing != load.Known {
				continue
			}
			isOwned = isOwned || m.Kind == load.Literal
			u := use{kindWords[m.Kind], readingWords[m.Kind.Reading()]}
			if where[u] == nil {
				order = append(order, u)
			}
			where[u] = append(where[u], e)
		}
		if len(order) < 2 {
			continue
		}
		if isOwned {
			path += "/*"
		}
		for _, u := range order {
			if u.takes == "" || u.reading == "" {
				t.Errorf("there are no words for what %s takes", path)
			}
			releases := load.WordReleases(func(e load.Engine) bool { return slices.Contains(where[u], e) })
			rows = append(rows, []string{dotted(path), releases, u.takes, u.reading})
		}
	}
	return "\n" + table([]string{"argument", "releases", "takes", "a string in JSON is"}, rows) + "\n"
}
