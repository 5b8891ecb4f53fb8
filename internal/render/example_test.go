package render_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/plan"
)

// The module that ARCHITECTURE.md carries through every stage.
var tenLines = map[string]string{
	"main.tf": `resource "aws_instance" "web" {
  # what production runs
  instance_type = "m5.large"
  ami           = "ami-1"
}
`,
	"override.tf": `resource "aws_instance" "web" {
  instance_type = "t3.micro"
  monitoring    = true
}
`,
}

// Example_stages prints what each stage makes of a module of two files.
func Example_stages() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	contents := map[string][]byte{}
	for name, text := range tenLines {
		contents[name] = []byte(text)
	}

	loaded, diags, err := load.Dir(dir, load.Options{Contents: contents})
	if err != nil || diags.HasErrors() {
		log.Fatal(err, diags)
	}
	fmt.Println("load: items, each a range of bytes")
	for _, f := range loaded.Files {
		for i := range f.Len() {
			printItem(f.Block(i), "  ")
		}
	}

	merged, _ := merge.Files(loaded, merge.Options{})
	fmt.Println("merge: histories")
	address.Walk(merged, func(name address.Address, e *merge.MergedItem) {
		if len(e.Steps) == 0 || e.Inner() != nil {
			return
		}
		var steps []string
		for _, s := range e.Steps {
			steps = append(steps, fmt.Sprintf("%s by %s:%d", s.Effect, s.Item.Source().Name, s.Item.Header().Start.Line))
		}
		fmt.Printf("  %s: %s\n", name, strings.Join(steps, ", "))
	})

	words := map[plan.Action]string{plan.Keep: "keep", plan.Replace: "replace", plan.Remove: "remove"}
	fmt.Println("plan: the action for each item")
	for _, f := range plan.Arrange(merged) {
		for _, b := range f.Blocks {
			acts, _ := plan.ActionsIn(b.Content, b.Source)
			for _, a := range acts {
				fmt.Printf("  %s %s\n", words[a.Do], a.Item.Called())
			}
			for _, e := range plan.Additions(b.Content, b.Source) {
				fmt.Printf("  add %s\n", e.Key.Name)
			}
		}
	}

	text, _ := render.Native(merged, render.Options{Annotate: true})
	fmt.Println("native: text")
	_ = text.Write(os.Stdout)
	// Output:
	// load: items, each a range of bytes
	//   main.tf 0-113 resource "aws_instance" "web"
	//     main.tf 59-85 instance_type
	//     main.tf 88-111 ami
	//   override.tf 0-85 resource "aws_instance" "web"
	//     override.tf 34-60 instance_type
	//     override.tf 63-83 monitoring
	// merge: histories
	//   aws_instance.web.instance_type: defined by main.tf:3, replaced by override.tf:2
	//   aws_instance.web.monitoring: added by override.tf:3
	// plan: the action for each item
	//   replace instance_type
	//   keep ami
	//   add monitoring
	// native: text
	// resource "aws_instance" "web" {
	//   # what production runs
	//   instance_type = "t3.micro" # override: override.tf:2 (was "m5.large" at main.tf:3)
	//   ami           = "ami-1"
	//   monitoring    = true # added: override.tf:3
	// }
}

// printItem prints an item, and its contents.
func printItem(it source.Item, indent string) {
	r := it.Extent()
	fmt.Printf("%s%s %d-%d %s\n", indent, r.Filename, r.Start.Byte, r.End.Byte, it.Source().Text(it.Header()))
	if b, ok := it.(*source.Block); ok {
		for _, inner := range b.Items() {
			printItem(inner, indent+"  ")
		}
	}
}
