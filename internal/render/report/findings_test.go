package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// odd is a report with names and texts that every format has to do something about.
var odd = &Report{
	Modules: []ModuleRecord{
		{Directory: "mod a", Engine: "opentofu@1.12.6", Files: 2}, {Directory: "clean", Engine: "opentofu@1.12.6", Files: 1},
		{Directory: ".", Engine: "terraform@1.9.8", Files: 1},
	},
	Findings: []FindingRecord{
		{
			Rule: "no-effect", Severity: "warning", Module: "mod a", Path: "mod a/50%,x:&<y>_override.tf",
			Range:   RangeRecord{"50%,x:&<y>_override.tf", PosRecord{3, 5, 40}, PosRecord{3, 12, 47}},
			Summary: "Override has no effect", Message: "password = \"hunter2\"\r\ndoes nothing, says \x1b[1m]]>.",
			Related: []relatedRecord{{"first set here", RangeRecord{"mod a/ä#b.tf", PosRecord{7, 1, 90}, PosRecord{9, 2, 120}}}},
			Address: "aws_instance.web.password", URL: RuleURL("no-effect"), fails: true,
		},
		{
			Rule: "merge-error", Severity: "error", Module: "mod a", Path: "mod a/ä\nb\x07.tf",
			Range:   RangeRecord{"ä\nb\x07.tf", PosRecord{2, 1, 10}, PosRecord{4, 2, 30}},
			Summary: "Missing resource to override", Message: "Nothing is called \"weeb\".", URL: RuleURL("merge-error"), fails: true,
		},
		{
			Rule: "shadowed-file", Severity: "notice", Module: ".", Path: "c:d.tf",
			Summary: "A file is hidden", Message: "c:d.tofu hides it.", URL: RuleURL("shadowed-file"),
		},
	},
}

// as is a report in the format of a name, as version 1.2.3 of the program writes it.
func as(t testing.TB, name string, r *Report, colored screen.Coloring) string {
	t.Helper()
	f, ok := FindFormat(name)
	if !ok {
		t.Fatalf("no format is called %s", name)
	}
	var out bytes.Buffer
	f.Write(&out, r, FormatOptions{Screen: screen.Screen{Palette: screen.NewPalette(colored), Width: screen.DefaultWidth}, Version: "1.2.3"})
	return out.String()
}

func linesFor(t testing.TB, r *Report, colored screen.Coloring) string {
	return as(t, "text", r, colored)
}

func sarifOf(t testing.TB, r *Report) string { return as(t, "sarif", r, false) }

func wantText(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimPrefix(want, "\n"), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFindingsText(t *testing.T) {
	wantText(t, `
mod a/50%,x:&<y>_override.tf:3:5: warning: password = "hunter2" does nothing, says \x1b[1m]]>. [no-effect]
    first set here: mod a/ä#b.tf:7:1
mod a/ä\nb\a.tf:2:1: error: Nothing is called "weeb". [merge-error]
c:d.tf: notice: c:d.tofu hides it. [shadowed-file]
`, linesFor(t, odd, false))
}

func TestFindingsTextColored(t *testing.T) {
	got := linesFor(t, odd, true)
	for _, want := range []string{"\x1b[33;1mwarning\x1b[", "\x1b[31;1merror\x1b[", "\x1b[2mnotice\x1b["} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}

func TestGitHub(t *testing.T) {
	wantText(t, `
::warning file=mod a/50%25%2Cx%3A&<y>_override.tf,line=3,endLine=3,col=5,endColumn=12,title=no-effect::Override has no effect (aws_instance.web.password)%0Ahttps://github.com/tofumerge/tofumerge/blob/main/docs/rules/no-effect.md
::error file=mod a/ä%0Ab\a.tf,line=2,endLine=4,title=merge-error::Missing resource to override%0Ahttps://github.com/tofumerge/tofumerge/blob/main/docs/rules/merge-error.md
::notice file=c%3Ad.tf,title=shadowed-file::A file is hidden%0Ahttps://github.com/tofumerge/tofumerge/blob/main/docs/rules/shadowed-file.md
`, as(t, "github", odd, false))
}

func TestJUnit(t *testing.T) {
	wantText(t, `
<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="4" failures="2">
  <testsuite name="mod a" tests="2" failures="2">
    <testcase classname="mod a" name="no-effect at mod a/50%,x:&amp;&lt;y&gt;_override.tf:3">
      <failure type="warning" message="Override has no effect"><![CDATA[password = "hunter2"\r
does nothing, says \x1b[1m]]]]><![CDATA[>.
first set here: mod a/ä#b.tf:7:1
https://github.com/tofumerge/tofumerge/blob/main/docs/rules/no-effect.md]]></failure>
    </testcase>
    <testcase classname="mod a" name="merge-error at mod a/ä\nb\a.tf:2">
      <failure type="error" message="Missing resource to override"><![CDATA[Nothing is called "weeb".
https://github.com/tofumerge/tofumerge/blob/main/docs/rules/merge-error.md]]></failure>
    </testcase>
  </testsuite>
  <testsuite name="clean" tests="1" failures="0">
    <testcase classname="clean" name="tofumerge check"></testcase>
  </testsuite>
  <testsuite name="." tests="1" failures="0">
    <testcase classname="." name="shadowed-file at c:d.tf">
      <system-out>notice: c:d.tofu hides it.&#xA;https://github.com/tofumerge/tofumerge/blob/main/docs/rules/shadowed-file.md</system-out>
    </testcase>
  </testsuite>
</testsuites>
`, as(t, "junit", odd, false))
}

// The rules of the driver are checked by themselves, so that the golden is not
// changed by every rule.
func TestSARIF(t *testing.T) {
	head, rest, _ := strings.Cut(sarifOf(t, odd), `          "rules": [`)
	rules, tail, _ := strings.Cut(rest, "\n          ]\n")
	wantText(t, wantSARIF, head+`          "rules": [ … ]`+"\n"+tail)
	var got []struct {
		ID, HelpURI                             string
		ShortDescription, FullDescription, Help struct{ Text string }
		DefaultConfiguration                    struct {
			Enabled bool
			Level   string
		}
	}
	if err := json.Unmarshal([]byte("["+rules+"]"), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(check.Rules) {
		t.Fatalf("%d rules, want %d", len(got), len(check.Rules))
	}
	for i, rule := range check.Rules {
		want := got[i]
		want.ID, want.HelpURI = rule.ID, RuleURL(rule.ID)
		want.ShortDescription.Text, want.FullDescription.Text, want.Help.Text = rule.Title, rule.Why, rule.Why+" See "+RuleURL(rule.ID)
		want.DefaultConfiguration.Enabled = !rule.Off
		want.DefaultConfiguration.Level = map[check.Severity]string{check.Notice: "note", check.Warning: "warning", check.Error: "error"}[rule.Severity]
		if diff := cmp.Diff(want, got[i]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

const wantSARIF = `
{
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "tool": {
        "driver": {
          "name": "tofumerge",
          "version": "1.2.3",
          "informationUri": "https://github.com/tofumerge/tofumerge",
          "rules": [ … ]
        }
      },
      "columnKind": "unicodeCodePoints",
      "results": [
        {
          "ruleId": "no-effect",
          "ruleIndex": 4,
          "level": "warning",
          "message": {
            "text": "Override has no effect"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "mod%20a/50%25,x:&%3Cy%3E_override.tf"
                },
                "region": {
                  "startLine": 3,
                  "startColumn": 5,
                  "endLine": 3,
                  "endColumn": 12
                }
              },
              "logicalLocations": [
                {
                  "fullyQualifiedName": "aws_instance.web.password"
                }
              ]
            }
          ],
          "relatedLocations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "mod%20a/%C3%A4%23b.tf"
                },
                "region": {
                  "startLine": 7,
                  "startColumn": 1,
                  "endLine": 9,
                  "endColumn": 2
                }
              },
              "message": {
                "text": "first set here"
              }
            }
          ],
          "partialFingerprints": {
            "tofumerge/v2": "2b367d9c43d2dd7d8172ce20a17f5384:1"
          }
        },
        {
          "ruleId": "merge-error",
          "ruleIndex": 1,
          "level": "error",
          "message": {
            "text": "Missing resource to override"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "mod%20a/%C3%A4%0Ab%07.tf"
                },
                "region": {
                  "startLine": 2,
                  "startColumn": 1,
                  "endLine": 4,
                  "endColumn": 2
                }
              }
            }
          ],
          "partialFingerprints": {
            "tofumerge/v2": "6b881d349b04a6b2328d7a5fd9f3ea75:1"
          }
        },
        {
          "ruleId": "shadowed-file",
          "ruleIndex": 13,
          "level": "note",
          "message": {
            "text": "A file is hidden"
          },
          "locations": [
            {
              "physicalLocation": {
                "artifactLocation": {
                  "uri": "./c:d.tf"
                }
              }
            }
          ],
          "partialFingerprints": {
            "tofumerge/v2": "6e208a3bef345a36928856ebd95af037:1"
          }
        }
      ]
    }
  ]
}
`

// Findings that differ only in their location keep different fingerprints, and keep them when lines
// move.
func TestFingerprints(t *testing.T) {
	twice := &Report{Findings: []FindingRecord{odd.Findings[0], odd.Findings[0]}}
	twice.Findings[1].Range.Start.Line = 30
	moved := &Report{Findings: []FindingRecord{odd.Findings[0]}}
	moved.Findings[0].Range.Start.Line = 4
	moved.Findings[0].Message = "Reworded."
	first, again := readSARIF(t, sarifOf(t, twice)), readSARIF(t, sarifOf(t, moved))
	of := func(i int) string { return first.Results[i].PartialFingerprints[fingerprintName] }
	if of(0) == of(1) {
		t.Errorf("both findings have the fingerprint %s", of(0))
	}
	if got := again.Results[0].PartialFingerprints[fingerprintName]; got != of(0) {
		t.Errorf("the fingerprint %s became %s when lines moved", of(0), got)
	}
}
