package language_test

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/parse"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

func Example() {
	for _, name := range []string{"opentofu@1.10", "opentofu@1.11"} {
		e, _ := engine.Parse(name)
		fmt.Println(e, language.HasPath("resource/lifecycle/enabled", e))
	}

	text := []byte(`variable "region" {
  type      = string
  sensitive = "perhaps"
  optional  = true
}
`)
	f := &source.File{Name: "main.tf", Raw: text, Native: text, Engine: engine.Default()}
	parsed, _ := hclsyntax.ParseConfig(text, f.Name, hcl.InitialPos)
	build, check := new(source.Builder).For(f), &language.Checker{File: f}
	for _, nb := range parsed.Body.(*hclsyntax.Body).Blocks {
		b, _ := build.Block(&source.Description{Tree: parse.Outline(nb)}, nil)
		check.Top(b)
	}
	for _, d := range check.Sorted() {
		fmt.Printf("%s: %s\n", d.Subject, d.Summary)
	}
	// Output:
	// opentofu@1.10.10 false
	// opentofu@1.11.14 true
	// main.tf:3,15-24: Unsuitable value type
	// main.tf:4,3-11: Unsupported argument
}
