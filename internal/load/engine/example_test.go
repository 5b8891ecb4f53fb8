package engine_test

import (
	"fmt"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

func Example() {
	later, _ := engine.Parse("opentofu@1.99")
	baseline, isNewer := later.Baseline()
	fmt.Println(later, "behaves as", baseline, isNewer)

	enabled := engine.Releases{OpenTofu: ">= 1.11"}
	fmt.Println(enabled, enabled.Has(later))

	_, err := engine.Parse("terraform@0.11")
	fmt.Println(err)
	// Output:
	// opentofu@1.99.0 behaves as opentofu@1.13.0-beta1 true
	// OpenTofu 1.11 and later true
	// Terraform 0.11.0 is too old; the oldest supported release is 1.5
}
