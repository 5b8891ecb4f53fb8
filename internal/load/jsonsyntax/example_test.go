package jsonsyntax_test

import (
	"fmt"

	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/jsonsyntax"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

func Example() {
	f := &source.File{Name: "main.tf.json", Syntax: source.JSON, LineEnd: "\n", Engine: engine.Default(), Raw: []byte(`{
  "resource": {"aws_instance": {"web": {
    "ami": "${var.ami}",
    "tags": {"Name": "web"},
    "ebs_block_device": [{"device_name": "/dev/sdb"}]
  }}}
}`)}
	evidence := jsonsyntax.Evidence{}
	if diags := jsonsyntax.Read(f, evidence, jsonsyntax.Ambiguous{}); diags.HasErrors() {
		fmt.Println(diags)
		return
	}
	keep := func(uint64, string) bool { return true }
	jsonsyntax.Of(f).Translate(&jsonsyntax.Classifier{Evidence: evidence}, false, keep,
		func(b *source.Block, _ bool, build *source.Builder) { build.Add(b) })
	fmt.Printf("%s", f.Native)

	ami := f.Block(0).Attr("ami")
	fmt.Printf("%s is from %s\n", ami.Display(), ami.Raw())
	all := func(source.Item) bool { return true }
	for _, d := range jsonsyntax.Guesses([]*source.File{f}, all) {
		fmt.Printf("%s: %s\n", d.Subject, d.Summary)
	}
	// Output:
	// resource "aws_instance" "web" {
	//   ami = var.ami
	//   tags = {
	//     Name = "web"
	//   }
	//
	//   ebs_block_device {
	//     device_name = "/dev/sdb"
	//   }
	// }
	// var.ami is from "${var.ami}"
	// main.tf.json:5,5-23: Argument or nested block
}
