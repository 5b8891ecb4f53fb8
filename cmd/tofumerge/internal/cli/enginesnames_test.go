package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/language"
)

// namesPart lists the names that some releases don't know, with their meaning to the others.
func namesPart() string {
	c := readCatalog()
	var rows [][]string
	for _, path := range c.paths() {
		is := map[nameStatus]func(engine.Release) bool{}
		for s := unknownName; s <= knownName; s++ {
			is[s] = func(e engine.Release) bool { return c.hasParent(path, e) && c.status(path, e) == s }
		}
		var elsewhere [][2]string
		if plain := engine.Describe(is[freeName]); plain != "" {
			elsewhere = append(elsewhere, [2]string{"an ordinary name", plain})
		}
		refused := func(e engine.Release) bool { return is[unknownName](e) || is[refusedName](e) }
		if errors := engine.Describe(refused); errors != "" {
			elsewhere = append(elsewhere, [2]string{"an error", errors})
		}
		known := engine.Describe(is[knownName])
		if len(elsewhere) == 0 || known == "" && len(elsewhere) == 1 {
			continue
		}
		rows = append(rows, []string{dotted(path), since(engine.OpenTofu, is[knownName]), since(engine.Terraform, is[knownName]), otherwise(elsewhere)})
	}
	return "\n" + table([]string{"name", "OpenTofu", "Terraform", "elsewhere"}, rows) + "\n"
}

// hasParent reports whether an engine knows the block around a path.
func (c catalog) hasParent(path string, e engine.Release) bool {
	around := parents(path)
	return len(around) == 0 || c.status(around[0], e) == knownName
}

// since words the releases of one product that a set has.
func since(p engine.Product, has func(engine.Release) bool) string {
	words := engine.Describe(func(e engine.Release) bool { return e.Product == p && has(e) })
	switch words {
	case "":
		return "–"
	case p.Title():
		return "all"
	}
	return shortRun(p, words)
}

// shortRun words releases of one product for a narrow column.
func shortRun(p engine.Product, words string) string {
	return strings.ReplaceAll(strings.TrimPrefix(words, p.Title()+" "), " and later", "+")
}

// otherwise words the meaning of a name to releases that do not know it; if there are several
// meanings, with the releases.
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

// readingWords describe how a string in JSON is read.
var readingWords = map[jsontree.Reading]string{
	jsontree.AsTemplate:  "a template",
	jsontree.AsText:      "as it is",
	jsontree.AsReference: "a bare reference or keyword",
	jsontree.AsSource:    "a bare expression",

	jsontree.AsBareReference:       "a bare reference",
	jsontree.AsReferenceOrTemplate: "a reference, or a template",
}

// A use describes the values of an argument, and how a string for it is read in JSON.
type use struct{ takes, reading string }

// valuesPart lists the arguments that take another kind of value, or whose strings
// in JSON are read in another way, in different releases.
func valuesPart(t *testing.T) string {
	t.Helper()
	var rows [][]string
	for _, path := range readCatalog().paths() {
		where := map[use][]engine.Release{}
		var order []use
		isOwned := false
		for _, e := range engine.Observed() {
			m := meaningOf(path, e)
			if m.status != knownName {
				continue
			}
			isOwned = isOwned || m.kind == language.Literal
			u := use{m.kind.Takes(), readingWords[m.kind.Reading()]}
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
			releases := engine.Describe(func(e engine.Release) bool { return slices.Contains(where[u], e) })
			rows = append(rows, []string{dotted(path), releases, u.takes, u.reading})
		}
	}
	return "\n" + table([]string{"argument", "releases", "takes", "a string in JSON is"}, rows) + "\n"
}
