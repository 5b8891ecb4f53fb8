package rewrite_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
)

// flattened are the files of a module with the comments that are carried along, and a list of these.
func flattened(t *testing.T, files map[string]string, words []string) (string, string) {
	t.Helper()
	src, diags, err := load.Dir(".", mergetest.InMemory(files, engine.Default()))
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	m, more := merge.Files(src, merge.Options{})
	diffs, errs := rewrite.Diff(m)
	if append(more, errs...).HasErrors() {
		t.Fatal(more, errs)
	}
	diffs, carried := rewrite.CarryComments(m, diffs, words)
	var text, list strings.Builder
	for _, d := range diffs {
		text.Write(d.New())
	}
	for _, c := range carried {
		fmt.Fprintf(&list, "%s %s:%d\n", c.Address, c.File, c.Line)
	}
	return text.String(), list.String()
}

func TestCarry(t *testing.T) {
	for name, c := range map[string]struct{ primary, override, want, list string }{
		"above a block": {
			"resource \"a\" \"b\" {\n  x = 1\n}\n",
			"# about x\n# tflint-ignore: one\n#trivy:ignore:AVD-1\nresource \"a\" \"b\" {\n  x = 2\n}\n",
			"# tflint-ignore: one\n#trivy:ignore:AVD-1\nresource \"a\" \"b\" {\n  x = 2\n}\n",
			"a.b a_override.tf:2\na.b a_override.tf:3\n",
		},
		"both sides, once": {
			"# tflint-ignore: one\n# tflint-ignore: two\nresource \"a\" \"b\" {\n  # tfsec:ignore:a\n  x = 1\n}\n",
			"# tflint-ignore: one\n# tflint-ignore: three\nresource \"a\" \"b\" {\n  # smaller\n  # tfsec:ignore:b\n  x = 2\n}\n",
			"# tflint-ignore: one\n# tflint-ignore: two\n# tflint-ignore: three\nresource \"a\" \"b\" {\n" +
				"  # smaller\n  # tfsec:ignore:b\n  # tfsec:ignore:a\n  x = 2\n}\n",
			"a.b a_override.tf:1\na.b a_override.tf:2\na.b.x a_override.tf:5\n",
		},
		"a nested block": {
			"terraform {\n  required_providers {\n    a = { source = \"x/a\" }\n  }\n}\n",
			"terraform {\n  # tflint-ignore: one\n  required_providers {\n    a = { source = \"y/a\" }\n  }\n}\n",
			"terraform {\n  # tflint-ignore: one\n  required_providers {\n    a = { source = \"y/a\" }\n  }\n}\n",
			"terraform.required_providers a_override.tf:2\n",
		},
		"no line of its own": {
			"variable \"v\" { default = 1 }\n",
			"variable \"v\" {\n  # checkov:skip=CKV_1\n  default = 2\n}\n",
			"variable \"v\" {\n  # checkov:skip=CKV_1\n  default = 2\n}\n",
			"var.v.default a_override.tf:2\n",
		},
		"other comments": {
			"variable \"v\" {\n  default = 1\n}\n",
			"# in tests, not tflint\nvariable \"v\" {\n  default = 2\n}\n",
			"variable \"v\" {\n  default = 2\n}\n",
			"",
		},
	} {
		text, list := flattened(t, map[string]string{"main.tf": c.primary, "a_override.tf": c.override}, rewrite.ToolComments)
		if diff := cmp.Diff(c.want, text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if list != c.list {
			t.Errorf("%s: %q, not %q", name, list, c.list)
		}
	}
}

// TestWords checks that further words count.
func TestWords(t *testing.T) {
	files := map[string]string{
		"main.tf":       "variable \"v\" {\r\n  default = 1\r\n}\r\n",
		"a_override.tf": "# mine:ignore x\nvariable \"v\" {\n  default = 2\n}\n",
	}
	if text, _ := flattened(t, files, []string{"mine:ignore"}); !strings.HasPrefix(text, "# mine:ignore x\r\nvariable") {
		t.Errorf("it is %q", text)
	}
	if text, list := flattened(t, files, rewrite.ToolComments); strings.Contains(text, "mine") || list != "" {
		t.Errorf("it is %q", text)
	}
	files["main.tf.json"] = `{"variable": {"w": {"default": 1}}}`
	files["b_override.tf"] = "# mine:ignore y\nvariable \"w\" {\n  default = 2\n}\n"
	if text, _ := flattened(t, files, []string{"mine:ignore"}); strings.Contains(text, "ignore y") {
		t.Errorf("%v: a JSON file has a comment: %q", slices.Collect(maps.Keys(files)), text)
	}
}
