package source_test

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

func Example() {
	text := []byte(`# The web server.
resource "aws_instance" "web" {
  ami = "ami-0abc" # golden
}
`)
	f := &source.File{Name: "main.tf", Raw: text, Native: text}
	parsed, _ := hclsyntax.ParseConfig(text, f.Name, hcl.InitialPos)
	build := new(source.Builder).For(f)
	for _, nb := range parsed.Body.(*hclsyntax.Body).Blocks {
		isKept := func(uint64, string) bool { return false } // only the position of the block stays in memory
		b, _ := build.Block(&source.Description{Tree: parse.Outline(nb)}, isKept)
		build.Add(b)
	}

	b := f.Block(0)
	fmt.Println(b.Type, b.Labels)
	fmt.Printf("%s\n", text[source.TriviaOf(b).Lead:b.Extent().Start.Byte])
	ami := b.Attr("ami")
	around := source.TriviaOf(ami)
	fmt.Printf("%s\n%s at %s\n", text[around.Start:around.End], f.Text(ami.Value()), ami.Value())
	// Output:
	// resource [aws_instance web]
	// # The web server.
	//
	// ami = "ami-0abc" # golden
	// "ami-0abc" at main.tf:3,9-19
}
