package policy

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
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

// A file with an error is refused with its place. Its text is not quoted if it must not be.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"deny = [": `1:9: `,
		"ban = []": `1:1: Unsupported argument: An argument named "ban" is not expected here.`,
		"z = 1\ny = 2\nx = 3\nw = 4\nv = 5\nu = 6": `1:1: Unsupported argument: An argument named "z" is not expected here.`,
		"deny = [local.a]":                         `1:9: Variables not allowed: `,
		`enable = ["no-effct"]`:                    `1:10: unknown rule "no-effct"; did you mean "no-effect"?`,
		`disable = ["zzz"]`:                        `1:11: unknown rule "zzz"; to list all rules, run: tofumerge check --list-rules`,
		`deny = ["a..b"]`:                          `1:8: "a..b" is not a pattern of addresses: `,
		`deny = ["var.x.defalt"]`:                  `1:8: "var.x.defalt" matches nothing: `,
		`allow_files = ["["]`:                      `1:15: invalid pattern of file names "["; use one such as 'dev_*' or override.tf`,
		`allow_files = [""]`:                       `1:15: invalid pattern of file names ""; use one such as 'dev_*' or override.tf`,
		`tool_comments = [" ab "]`:                 `1:17: invalid word " ab "; use one of three letters or more, such as my-linter:ignore`,
		`min_severity = "never"`:                   `1:16: invalid severity "never"; use error, warning or notice`,
		`fail_on = "none"`:                         `1:11: invalid severity "none" to fail on; use error, warning, notice or never`,
		`engine = "pulumi"`:                        `1:10: unknown engine "pulumi"; `,
		`against_engines = ["pulumi"]`:             `1:19: unknown engine "pulumi"; `,
	} {
		_, err := parseRead(File{Path: FileName, Text: []byte(text)}, nil)
		if err == nil || !strings.HasPrefix(err.Error(), FileName+":"+want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		_, err = parseRead(File{Path: FileName, Text: []byte(text), IsWithheld: true}, nil)
		if err == nil || !strings.HasSuffix(err.Error(), load.NotQuoted) {
			t.Errorf("%s is quoted: %v", text, err)
		}
	}
}
