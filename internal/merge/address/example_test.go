package address_test

import (
	"fmt"
	"os"

	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// Everything that a block holds has the block's address before its own.
func ExampleWalkAll() {
	m, err := mergetest.Dir("../../../testdata/modules/web")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	address.WalkAll(m, func(own address.Address, it *merge.MergedItem) {
		if it.IsOverridden() && it.Inner() == nil {
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
