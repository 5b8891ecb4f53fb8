package check_test

import (
	"fmt"
	"os"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// web is a module of testdata, merged.
func web() (*merge.Module, error) {
	src, diags, err := load.Dir("../../../testdata/modules/web", load.Options{Engine: engine.Default(), Trees: load.AllTrees})
	if err != nil {
		return nil, err
	}
	m, more := merge.Files(src, merge.Options{})
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	return m, nil
}

// Findings are judged by rules, each of which has a page in docs/rules.
func ExampleFindings() {
	m, err := web()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	found := check.Findings(m, nil, func(id string) bool { return true })
	check.Sort(m, found)
	for _, f := range found {
		fmt.Printf("%s:%d: %s: %s\n", f.Range.Filename, f.Range.Start.Line, f.Rule.ID, f.Address)
	}
	// Output:
	// main.tf:1: unmarked-override: terraform
	// main.tf:9: unmarked-override: aws_instance.web
	// local_override.tf:10: block-replace-drops-arguments: aws_instance.web.ebs_block_device
}
