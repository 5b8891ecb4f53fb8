package load_test

import (
	"fmt"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

func Example() {
	m, diags, err := load.Dir(".", load.Options{
		Absent: func(string) bool { return true }, // whatever the directory holds
		Contents: map[string][]byte{
			"main.tf":          []byte("resource \"aws_instance\" \"web\" {\n  count = 2\n}\n"),
			"main_override.tf": []byte("resource \"aws_instance\" \"web\" {\n  lifecycle {\n    enable = false\n  }\n}\n"),
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range m.Files {
		for i := range f.Len() {
			b := f.Block(i)
			fmt.Println(f.Name, f.Role == source.Override, b.Type, b.Labels)
		}
	}
	for _, d := range diags {
		fmt.Printf("%s: %s\n", d.Subject, d.Summary)
	}
	// Output:
	// main.tf false resource [aws_instance web]
	// main_override.tf true resource [aws_instance web]
	// main_override.tf:3,5-11: Unsupported argument
}
