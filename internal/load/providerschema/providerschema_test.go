package providerschema

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

const two = `{"format_version": "1.0", "provider_schemas": {
  "example.com/a/aws": {
    "provider": {"block": {"attributes": {"region": {"type": "string"}}}},
    "resource_schemas": {"aws_x": {"block": {
      "attributes": {"tags": {"type": ["map", "string"]}, "rule": {"type": ["list", ["object", {}]]}, "split": {"type": "string"}},
      "block_types": {
        "disk": {"nesting_mode": "list", "block": {"attributes": {"size": {"type": "number"}}}},
        "site": {"nesting_mode": "map", "block": {}}
      }}}},
    "data_source_schemas": {"aws_y": null}
  },
  "example.com/b/aws": {
    "resource_schemas": {"aws_x": {"block": {"block_types": {"split": {"nesting_mode": "set", "block": {}}}}}}
  },
  "example.com/c/none": null
}}`

func read(t *testing.T, text string) (*Schema, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(path, 1<<16)
}

func value(text string) jsontree.Value { return jsontree.NewReader([]byte(text)).Root() }

func TestLookup(t *testing.T) {
	schema, err := read(t, two)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path, name, value string
		want              Use
		sure              bool
	}{
		{"resource/aws_x", "tags", `{}`, Use{}, true},
		{"resource/aws_x", "rule", `{}`, Use{Block: true}, true},
		{"resource/aws_x", "rule", `[]`, Use{}, true},
		{"resource/aws_x", "disk", `{}`, Use{Block: true}, true},
		{"resource/aws_x", "site", `{}`, Use{Block: true, Labels: 1}, true},
		{"resource/aws_x", "split", `{}`, Use{Disputed: true}, false},
		{"resource/aws_x", "other", `{}`, Use{}, false},
		{"resource/aws_x/disk", "size", `{}`, Use{}, true},
		{"resource/aws_x/desk", "size", `{}`, Use{}, false},
		{"provider/aws", "region", `{}`, Use{}, true},
		{"data/aws_y", "tags", `{}`, Use{}, false},
		{"locals", "tags", `{}`, Use{}, false},
	} {
		if got, sure := schema.Lookup(test.path, test.name, value(test.value)); got != test.want || sure != test.sure {
			t.Errorf("%s/%s = %s: %+v, %t", test.path, test.name, test.value, got, sure)
		}
	}
	if _, sure := (*Schema)(nil).Lookup("provider/aws", "region", value("{}")); sure {
		t.Error("without a schema, a lookup is sure")
	}
}

func TestMeaning(t *testing.T) {
	schema, err := read(t, two)
	if err != nil {
		t.Fatal(err)
	}
	text := "resource \"aws_x\" \"a\" {\n  tags = {}\n  split = 1\n  other = 1\n  disk {\n    size = 1\n  }\n  _ {\n    tags = {}\n  }\n}\n"
	top := blockIn(t, text)
	inner, escaped := top.Blocks("disk")[0], top.Blocks("_")[0]
	for it, want := range map[source.Item]Meaning{
		top.Attr("tags"): Argument, top.Attr("split"): Unknown, top.Attr("other"): Unknown, inner: Nested,
		inner.Attr("size"): Argument, escaped.Attr("tags"): Argument, top: Unknown,
	} {
		if got := schema.Meaning(it); got != want {
			t.Errorf("%s: %d, want %d", it.Called(), got, want)
		}
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                             "its structure is different",
		`{`:                              "is not a provider schema",
		`{"format_version": "2.0"}`:      `its format_version is "2.0"`,
		`{}`:                             "its format_version is",
		two + strings.Repeat(" ", 1<<16): "can't read the provider schema",
	} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30s: %v", text, err)
		}
	}
	if _, err := read(t, `{"format_version": "0.2"}`); err != nil {
		t.Error(err)
	}
}
