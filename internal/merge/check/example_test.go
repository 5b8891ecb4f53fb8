package check_test

import (
	"fmt"
	"os"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
)

// Findings are judged by rules. Each rule has a page in docs/rules.
func ExampleFindings() {
	m, err := mergetest.Dir("../../../testdata/modules/web")
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
