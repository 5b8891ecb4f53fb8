package workspace_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Calls are effective: overrides set sources and arguments, too.
func TestCalls(t *testing.T) {
	src, diags := loadtest.Files(t, map[string][]byte{
		"main.tf": []byte(`module "b" {
  source = "./b"
  size   = 1
}
module "a" {
  source  = "x/y/z"
  version = "1.0.0"
}
module "c" {
  source = "./${terraform.workspace}"
}
`),
		"x_override.tf": []byte("module \"b\" {\n  source = \"../other\"\n  zone = 2\n}\n"),
	}, load.Options{})
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatal(diags)
	}
	type call struct{ Address, Local string }
	var got []call
	for _, c := range workspace.Calls(m) {
		got = append(got, call{c.Address.String(), c.Local})
	}
	want := []call{{"module.b", "../other"}, {"module.a", ""}, {"module.c", ""}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
