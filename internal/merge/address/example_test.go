package address_test

import (
	"fmt"
	"os"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
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

// Everything that a block holds has the block's address before its own.
func ExampleWalkAll() {
	m, err := web()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	address.WalkAll(m, func(own address.Address, it *merge.MergedItem) {
		if it.IsOverridden() && it.Inner == nil {
			fmt.Println(own)
		}
	})
	// Output:
	// terraform.backend
	// aws_instance.web.instance_type
	// aws_instance.web.ebs_block_device
	// aws_instance.web.lifecycle.enabled
	// aws_instance.web.monitoring
}
