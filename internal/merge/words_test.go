package merge

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each effect, status and deed has its words in the tables, and the schema of reports
// has the same words.
func TestWords(t *testing.T) {
	var lacking []Effect
	for e := range effectCount {
		if effects[e].word == "" {
			lacking = append(lacking, e)
		}
	}
	if len(lacking) > 0 {
		t.Fatalf("the table of effects has no row for %d", lacking)
	}
	var words, used []string
	for e := range effectCount {
		words = append(words, e.String())
		for _, s := range []Status{effects[e].lost, effects[e].ends} {
			if _, known := statuses[s]; s != "" && !known {
				t.Errorf("the effect %s leads to the status %q, which has no words", e, s)
			}
		}
		if d, ok := e.Deed(); ok && !slices.Contains(Deeds, d) {
			t.Errorf("the effect %s is listed as %q, which is no deed", e, d)
		}
	}
	for _, d := range Deeds {
		if used = append(used, string(d)); d.Words() == "" || d.Mark() == "" {
			t.Errorf("the deed %s has no words, or no mark", d)
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
		{"deeds", used, schema.Defs.Effect.Properties.Effect.Enum},
	} {
		slices.Sort(c.want)
		slices.Sort(c.got)
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-table +schema):\n%s", c.name, diff)
		}
	}
}

// A listing is a property of the schema that has one of several words.
type listing struct{ Enum []string }

// words is an object of the schema with the property effect.
type words struct {
	Properties struct{ Effect listing }
}

// A schema is what the test looks at of the schema of reports.
type schema struct {
	Defs struct {
		Step, Effect words
		Status       listing
	} `json:"$defs"`
}

func readSchema(t *testing.T) schema {
	t.Helper()
	text, err := os.ReadFile("../../docs/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	return s
}
