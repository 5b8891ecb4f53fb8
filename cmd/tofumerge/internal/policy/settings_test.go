package policy

import (
	"strings"
	"testing"
)

// The suggestion for a value of the wrong type is accepted, and so is each example.
func TestUnsuitable(t *testing.T) {
	for _, a := range arguments {
		name, example := a.name, a.example
		text := strings.Trim(example, "[]")
		for _, given := range []string{text, "7", "true", "{}", `[["x"]]`, `["a", {}]`} {
			_, err := parse(File{Path: FileName, Text: []byte(name + " = " + given + "\n")})
			if err == nil || example == "" || !strings.Contains(err.why, "Unsuitable value type: "+name+" takes ") {
				continue // the argument takes it, or rejects its type
			}
			remedy := name + " = " + example
			if _, line, found := strings.Cut(err.why, "Write "); found {
				remedy = strings.TrimSuffix(line, ".")
			} else if !strings.HasSuffix(err.why, "such as "+example+".") {
				t.Errorf("%s = %s: %s", name, given, err.why)
			}
			if s, err := parse(File{Path: FileName, Text: []byte(remedy + "\n")}); err != nil || s == nil {
				t.Errorf("%s is not accepted: %v", remedy, err)
			}
		}
	}
	for given, want := range map[string]string{
		`disable = "no-effect"`: `disable takes a list. Write disable = ["no-effect"].`,
		`disable = "x"`:         `disable takes a list of strings, such as ["no-effect"].`,
		`deny = "a.b"`:          `Write deny = ["a.b"].`,
		`deny = "` + strings.Repeat("a", 200) + `"`: `deny takes a list of strings, such as`,
		`deny_overrides = "yes"`:                    `deny_overrides takes true or false.`,
		`min_severity = ["warning"]`:                `min_severity takes a string, such as "warning".`,
	} {
		if _, err := parse(File{Path: FileName, Text: []byte(given)}); err == nil || !strings.Contains(err.why, want) {
			t.Errorf("%.40s: %v, want %s", given, err, want)
		}
	}
}
