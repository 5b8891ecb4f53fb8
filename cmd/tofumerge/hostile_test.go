package main

import (
	"strings"
	"testing"
)

// The inputs are modules that can be parsed, so that what they are made for is
// what takes the time.
func TestHostileInputs(t *testing.T) {
	for _, h := range hostileInputs() {
		t.Run(h.name, func(t *testing.T) {
			got := runOn(t, h.files(4), "check", "--min-severity", "error")
			if strings.Contains(got.out, "syntax-error") || got.status == exitFailed {
				t.Error(got.out + got.errs)
			}
		})
	}
}
