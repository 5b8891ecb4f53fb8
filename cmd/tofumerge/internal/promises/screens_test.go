package promises_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"path"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

var allPairs = flag.Bool("all-pairs", false, "try every pair, as .ci/run does: of a command and a shape of a growing module, and of a module and a screen")

// screens are the commands whose text is for people, and whose JSON must hold as much.
var screens = []string{"list", "changes", "changes --redact", "explain --all --redact", "check --enable unmarked-override"}

// facts match what a text for people takes from a module: locations, quoted values, and addresses.
var facts = regexp.MustCompile(`[\w./-]+\.(?:tf|tofu|tf\.json|tofu\.json):\d+|"(?:[^"\\\n]|\\.)*"|\b[a-z]\w*(?:\.[A-Za-z_][\w-]*)+`)

// wholes match what JSON has only in parts: in changes the location of a block or value whose changes stand below, and
// a short list, of which JSON has the elements that change; and in explain the text of a block, for which JSON has the
// bytes of its range.
var wholes = regexp.MustCompile(`(?m)replaced by \S+$|(?:\[[^\n]*\]|\(\w+\)) → \[[^\n]*\]|^ {8,}.*$`)

// isOdd reports whether a name isn't written the same everywhere.
func isOdd(name string) bool { return oddName.MatchString(name) }

var oddName = regexp.MustCompile(`[^\w.-]`)

// What text shows of the modules in the scripts, JSON shows, too: each location, value and address, however much is
// redacted. Each module is on two of the screens, or with -all-pairs on all of them.
func TestScreensAreInJSON(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // thousands of short runs
	c := &campaign{t: t, dir: quickDir(t)}
	shown, turn := 0, 0
	for _, m := range modulesIn(t, "script") {
		names := slices.Collect(maps.Keys(m.files))
		if !slices.ContainsFunc(names, overrides) || slices.ContainsFunc(names, isOdd) {
			continue
		}
		x := c.subject(m)
		turn++
		for i, screen := range screens {
			if !*allPairs && (i+turn)%len(screens) > 1 {
				continue
			}
			args := strings.Fields(screen)
			text := x.run(args...)
			found := facts.FindAllString(wholes.ReplaceAllString(text.out, ""), -1)
			if found == nil {
				continue
			}
			known := factsIn(t, x.run(append(args, "-f", "json")...).out)
			for _, fact := range found {
				shown++
				if !known.has(fact) && !strings.Contains(fact, `\u`) { // text escapes what can't be seen
					t.Errorf("%s: JSON lacks %s\n%s\n%s", screen, fact, text.out, x.archive())
				}
			}
		}
		x.remove()
	}
	if shown < 2_000 {
		t.Errorf("only %d facts are compared", shown)
	}
}

// A jsonFacts is what JSON holds: locations, and all texts, one after the other.
type jsonFacts struct {
	places map[string]bool
	texts  strings.Builder
}

func factsIn(t *testing.T, text string) *jsonFacts {
	t.Helper()
	known := &jsonFacts{places: map[string]bool{}}
	known.add(decode(t, text))
	return known
}

func (k *jsonFacts) add(value any) {
	switch value := value.(type) {
	case string:
		k.texts.WriteString(value + "\n")
	case []any:
		for _, v := range value {
			k.add(v)
		}
	case map[string]any:
		for _, side := range []string{"path", "before_path", "after_path"} {
			steps, isPath := value[side].([]any)
			name := fmt.Sprint(value["address"])
			for _, s := range steps {
				if key, isKey := s.(string); isKey { // text has numbers only where there are several
					name += "." + key
				}
			}
			if isPath {
				k.add(name)
			}
		}
		if start, isRange := value["start"].(map[string]any); isRange {
			k.places[fmt.Sprintf("%s:%v", path.Base(value["filename"].(string)), start["line"])] = true
		}
		for _, v := range value {
			k.add(v)
		}
	}
}

// has reports whether JSON holds a fact. A value or an address may be part of a text, and a template of a single
// expression, which a file in JSON spells like that, is the expression.
func (k *jsonFacts) has(fact string) bool {
	if k.places[path.Base(fact)] || strings.Contains(k.texts.String(), fact) {
		return true
	}
	var plain string
	if json.Unmarshal([]byte(fact), &plain) != nil { // not quoted
		return false
	}
	inner, _ := strings.CutPrefix(plain, "${")
	return strings.Contains(k.texts.String(), strings.TrimSuffix(inner, "}"))
}
