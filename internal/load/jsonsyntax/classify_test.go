package jsonsyntax

import (
	"maps"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/jsontree"
)

// Bodies that hold only arguments, whoever owns them, and the names in them.
func TestHoldsArguments(t *testing.T) {
	for path, want := range map[string]bool{
		"module/m":                          true,
		"terraform/encryption/key_provider": true,
		"terraform/backend/s3":              true,
		"terraform/cloud":                   true,
		"language/compatible_with":          true,
		"terraform/provider_meta":           false,
		"resource/t/connection":             true,
		"resource/t/provisioner/file":       true,
		"resource/t/disk":                   false,
		"resource/connection":               false,
		"data/t/connection":                 false,
		"provider/module":                   false,
	} {
		if holdsArguments(path) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}

func TestWellKnown(t *testing.T) {
	for name, want := range map[[2]string][2]bool{ // is a block, is known
		{"terraform/cloud", "workspaces"}:          {true, true},
		{"terraform/backend/remote", "workspaces"}: {true, true},
		{"terraform/backend/s3", "workspaces"}:     {false, true},
		{"resource/terraform_data", "input"}:       {false, true},
		{"data/terraform_remote_state", "config"}:  {false, true},
		{"resource/terraform_remote_state", "a"}:   {false, false},
		{"provider/aws", "default_tags"}:           {true, true},
		{"provider/aws", "timeouts"}:               {true, false},
		{"provider/aws/endpoints", "timeouts"}:     {false, false},
		{"resource/t", "timeouts"}:                 {true, true},
		{"resource/t/disk", "timeouts"}:            {false, false},
		{"resource/t/disk", "tags"}:                {false, true},
		{"resource/t", "disk"}:                     {false, false},
	} {
		found, isKnown := wellKnown(name[0], name[1])
		if isKnown != want[1] || isKnown && found.block != want[0] {
			t.Errorf("%v: block %t, known %t", name, found.block, isKnown)
		}
	}
}

// Without a schema, evidence and the look of the value decide; the rest is a guess.
func TestDecide(t *testing.T) {
	evidence := Evidence{"resource/t": {
		"native": {block: true}, "labeled": {block: true, labels: 1}, "both": {block: true, argument: true}, "given": {argument: true},
		"scalar": {notBlock: true}, "array": {objectArray: true},
	}}
	for _, c := range []struct {
		name, value string
		repeated    bool
		want        decision
	}{
		{"any", `{"a": 1}`, false, decision{guessed: true}},
		{"any", `{"a b": 1}`, false, decision{}},
		{"any", `[1]`, false, decision{}},
		{"any", `1`, false, decision{}},
		{"any", `{"a": 1}`, true, decision{block: true}},
		{"a b", `{"a": 1}`, true, decision{}},
		{"tags", `{"a": 1}`, true, decision{}},
		{"timeouts", `{"a": 1}`, false, decision{block: true}},
		{"native", `{"a": 1}`, false, decision{block: true, evident: true}},
		{"native", `{"a b": 1}`, false, decision{}},
		{"labeled", `{"a b": {}}`, false, decision{block: true, labels: 1, evident: true}},
		{"given", `{"a b": 1}`, false, decision{evident: true}},
		{"both", `{"a": 1}`, false, decision{guessed: true}},
		{"scalar", `{"a": 1}`, false, decision{}},
		{"array", `[{"a": 1}]`, false, decision{block: true, guessed: true}},
		{"array", `null`, false, decision{guessed: true}},
	} {
		k := &Classifier{Evidence: evidence}
		v := jsontree.NewReader([]byte(c.value)).Root()
		if got := k.decide("resource/t", c.name, v, func() bool { return c.repeated }); got != c.want {
			t.Errorf("%s = %s: %+v, want %+v", c.name, c.value, got, c.want)
		}
	}
}

// The contents of dynamic blocks are evidence about the blocks that they generate.
func TestEvidenceOfJSON(t *testing.T) {
	seen, ambiguous := Evidence{}, Ambiguous{}
	text := `{"dynamic": {"disk": {"for_each": [{"x": 1}], "content": {"size": [{"a": 1}]}}}, "tags": {"b": 1}, "count": [1], "_": {"rule": [{}]}}`
	seen.noteJSON(jsontree.NewReader([]byte(text)).Root(), "resource/t", ambiguous)
	if !seen["resource/t"]["disk"].block || !seen["resource/t/disk"]["size"].objectArray || !seen["resource/t"]["count"].notBlock || !seen["resource/t"]["rule"].objectArray {
		t.Errorf("evidence: %+v", seen)
	}
	if want := (Ambiguous{"size": true, "tags": true, "rule": true}); !maps.Equal(ambiguous, want) {
		t.Errorf("ambiguous: %v, want %v", ambiguous, want)
	}
}
