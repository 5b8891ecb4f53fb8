package merge_test

import (
	"fmt"
	"os"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/lookup"
)

// web is a module of testdata, merged.
func web() (*merge.Module, error) {
	src, diags, err := load.Dir("../../testdata/modules/web", load.Options{Engine: engine.Default()})
	if err != nil {
		return nil, err
	}
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	return m, nil
}

// A merged module holds, of each name, what every file did to it.
func ExampleFiles() {
	m, err := web()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	for _, target := range lookup.Find(m, address.New("aws_instance", "web", "instance_type")) {
		for _, o := range target.Item.Outcomes() {
			fmt.Println(o.Item.Source().Name, o.Effect, o.Status)
		}
	}
	// Output:
	// main.tf defined replaced
	// local_override.tf replaced effective
}
