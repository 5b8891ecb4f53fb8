package load_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
)

// Each case is a module in which comments state the errors of their lines. Lines without a comment
// are accepted. Those of package judge are about single arguments and blocks, and those of package language about what
// is allowed in which body.
func TestJudged(t *testing.T) {
	for _, dir := range []string{"testdata/judge", "testdata/shapes"} {
		loadtest.RunMarked(t, dir, func(t *testing.T, c *loadtest.Case) hcl.Diagnostics {
			_, diags := c.Load(t, load.Options{})
			return diags
		})
	}
}

// A diagnostic about two things points to the other one, too.
func TestRelated(t *testing.T) {
	for text, want := range map[string]int{ // the line of the other one
		"terraform {\n  encryption {\n    method \"a\" \"b\" {\n    }\n    method \"a\" \"b\" {\n    }\n  }\n}\n":              3,
		"import {\n  to = t.a\n  id = \"1\"\n}\nimport {\n  to = t.a\n  id = \"2\"\n}\n":                                       2,
		"module \"m\" {\n  source = \"./m\"\n  providers = {\n    a.b = x\n    (a.b) = y\n    a.b = z\n  }\n}\n":               4,
		"moved {\n  from = module.a\n  to   = t.a\n}\n":                                                                        2,
		"module \"m\" {\n  source  = \"./m\"\n  version = \"1.0\"\n}\n":                                                        3,
		"variable \"v\" {\n  const = true\n}\nvariable \"w\" {\n}\nmodule \"m\" {\n  source = \"./m\"\n  version = \"1\"\n}\n": 8,
	} {
		_, diags := loadtest.Files(t, map[string][]byte{"main.tf": []byte(text)}, load.Options{})
		found := 0
		for _, d := range diags {
			if related, ok := diag.RelatedOf(d); ok {
				found = related.Range.Start.Line
			}
		}
		if found != want {
			t.Errorf("%s: line %d, want %d (%s)", text, found, want, diags)
		}
	}
}
