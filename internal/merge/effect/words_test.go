package effect

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// Each effect, status and verb has its words in the tables, and the schema of reports
// has the same words.
func TestWords(t *testing.T) {
	var lacking []Kind
	for e := range count {
		if effects[e].word == "" {
			lacking = append(lacking, e)
		}
	}
	if len(lacking) > 0 {
		t.Fatalf("the table of effects has no row for %d", lacking)
	}
	var words, used []string
	for e := range count {
		words = append(words, e.String())
		for _, s := range []Status{effects[e].lost, effects[e].ends} {
			if _, known := statuses[s]; s != "" && !known {
				t.Errorf("the effect %s leads to the status %q, which has no words", e, s)
			}
		}
		if d, ok := e.Verb(); ok && !slices.Contains(Verbs, d) {
			t.Errorf("the effect %s is listed as %q, which is no verb", e, d)
		}
	}
	for _, d := range Verbs {
		if used = append(used, string(d)); d.Words() == "" || d.Mark() == "" {
			t.Errorf("the verb %s has no words, or no mark", d)
		}
	}
	var states []string
	for s := range maps.Keys(statuses) {
		states = append(states, string(s))
	}
	schema := readSchema(t)
	for _, c := range []struct {
		name      string
		want, got []string
	}{
		// Steps without an item of their own are in no report.
		{"effects", slices.DeleteFunc(words, func(w string) bool { return w == "hidden" || w == "cleared" }), schema.Defs.Step.Properties.Effect.Enum},
		{"statuses", states, schema.Defs.Status.Enum},
		{"verbs", used, schema.Defs.Effect.Properties.Effect.Enum},
	} {
		slices.Sort(c.want)
		slices.Sort(c.got)
		if diff := gocmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-table +schema):\n%s", c.name, diff)
		}
	}
}

// TestWordsPage fails if the table of words in ARCHITECTURE.md differs from the code's; with
// -update it writes the table.
func TestWordsPage(t *testing.T) {
	const page = "../../../ARCHITECTURE.md"
	const start, end = "<!-- words: made by TestWordsPage -->\n", "<!-- end of words -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, isOpen := strings.Cut(string(text), start)
	was, after, isClosed := strings.Cut(rest, end)
	if !isOpen || !isClosed {
		t.Fatalf("%s has no table of words", page)
	}
	table := wordsTable()
	if *loadtest.Update {
		if err := os.WriteFile(page, []byte(before+start+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := gocmp.Diff(table, was); diff != "" {
		t.Errorf("%s is stale; go test ./internal/merge/effect -run TestWordsPage -update (-want +got):\n%s", page, diff)
	}
}

func wordsTable() string {
	var out strings.Builder
	out.WriteString("\n| effect | status of the item | status of what was in effect | verb in lists | mark |\n| --- | --- | --- | --- | --- |\n")
	for e := range count {
		row := effects[e]
		status := cmp.Or(string(row.lost), "by what comes later")
		if e == Hidden || e == Cleared || e == Converted {
			status = "" // steps without an item of their own
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", row.word, status, row.ends, row.verb, row.verb.Mark())
	}
	out.WriteString("\n")
	return out.String()
}

// A listing is a property of the schema that has one of several words.
type listing struct{ Enum []string }

// words is an object of the schema with the property effect.
type words struct {
	Properties struct{ Effect listing }
}

// A schema is the part of the reports' schema that the test needs.
type schema struct {
	Defs struct {
		Step, Effect words
		Status       listing
	} `json:"$defs"`
}

func readSchema(t *testing.T) schema {
	t.Helper()
	text, err := os.ReadFile("../../../docs/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s
}
