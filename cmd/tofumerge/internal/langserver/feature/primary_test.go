package feature

import (
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// What an override block leaves out is in the primary block if that itself has it: not if another
// override file gives it, if the override block has it too, or if the block is a nested one.
func TestInPrimary(t *testing.T) {
	v := viewOf(t, map[string][]byte{
		"main.tf": []byte(`
resource "a" "b" {
  ami = 1
  disk {
    size = 1
  }
  dynamic "port" {
    for_each = []
    content {}
  }
}
`),
		"a_override.tf": []byte(`
resource "a" "b" {
  zone = 1
}
`),
		"b_override.tf": []byte(`
resource "a" "b" {
  own = 1
  disk {
  }
}
resource "a" "b" {
  disk {
    size = 2
  }
}
resource "a" "b" {}
`),
		"c_override.tf.json": []byte(`{"resource": {"a": {"b": {}}}}`),
	}, engine.OpenTofu.Newest(), protocol.UTF8)
	for at := range uint32(30) {
		if InPrimary(v, "c_override.tf.json", protocol.PrimaryItem{Brace: protocol.Position{Character: at}, Name: "ami"}) {
			t.Errorf("a block is found at column %d of a JSON file", at+1)
		}
	}
	at := func(line, column uint32) protocol.Position {
		return protocol.Position{Line: line - 1, Character: column - 1}
	}
	for _, x := range []struct {
		file string
		item protocol.PrimaryItem
		want bool
		why  string
	}{
		{"b_override.tf", protocol.PrimaryItem{Brace: at(2, 18), Name: "ami"}, true, "the primary block has it"},
		{"b_override.tf", protocol.PrimaryItem{Brace: at(12, 18), Name: "ami"}, true, "an empty block of the same name"},
		{"b_override.tf", protocol.PrimaryItem{Brace: at(2, 18), Name: "zone"}, false, "only another override has it"},
		{"b_override.tf", protocol.PrimaryItem{Brace: at(2, 18), Name: "own"}, false, "the block itself has it"},
		{"b_override.tf", protocol.PrimaryItem{Brace: at(2, 17), Name: "ami"}, false, "no brace is there"},
		{"b_override.tf", protocol.PrimaryItem{Brace: at(4, 8), Name: "size"}, false, "a nested block replaces those of the primary file"},
		{"b_override.tf", protocol.PrimaryItem{Brace: at(99, 1), Name: "ami"}, false, "no such line"},
		{"a_override.tf", protocol.PrimaryItem{Brace: at(2, 18), Name: "disk", Blocks: 1}, true, "the primary block has one"},
		{"a_override.tf", protocol.PrimaryItem{Brace: at(2, 18), Name: "disk", Blocks: 2}, false, "the primary block has one only"},
		{"a_override.tf", protocol.PrimaryItem{Brace: at(2, 18), Name: "port", Blocks: 2}, true, "a dynamic block may make two"},
		{"b_override.tf", protocol.PrimaryItem{Brace: at(2, 18), Name: "disk", Blocks: 1}, false, "the block itself replaces them"},
		{"main.tf", protocol.PrimaryItem{Brace: at(2, 18), Name: "ami"}, false, "a primary file"},
		{"no.tf", protocol.PrimaryItem{Brace: at(2, 18), Name: "ami"}, false, "no such file"},
	} {
		if got := InPrimary(v, x.file, x.item); got != x.want {
			t.Errorf("%s %+v: %t, but %s", x.file, x.item, got, x.why)
		}
	}
}
