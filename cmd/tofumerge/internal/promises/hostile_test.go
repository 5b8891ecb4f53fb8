package promises_test

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
)

// Commands finish on modules that took minutes when some work was done for each pair of two
// objects. BenchmarkHostile covers the inputs on which every command is slow.
func TestManyOfOneThing(t *testing.T) {
	cases := []struct{ input, args string }{
		{"comments in a base", "check --fix --enable unmarked-override"},
		{"locals blocks", "check --fix --enable unmarked-override"},
		{"default providers, JSON", "diff"},
		{"dropped keys", "check --fix"},
		{"equal arguments", "check --fix"},
	}
	for _, c := range cases {
		t.Run(c.args+" of "+c.input, func(t *testing.T) {
			for _, h := range hostileInputs() {
				if h.name == c.input {
					if got := runOn(t, h.files(12_000), strings.Fields(c.args)...); got.status == cli.ExitFailed {
						t.Error(got.errs)
					}
				}
			}
		})
	}
}

// The inputs are modules that can be parsed, so the time is spent on their purpose.
func TestHostileInputs(t *testing.T) {
	for _, h := range hostileInputs() {
		t.Run(h.name, func(t *testing.T) {
			got := runOn(t, h.files(4), "check", "--min-severity", "error")
			if strings.Contains(got.out, "syntax-error") || got.status == cli.ExitFailed {
				t.Error(got.out + got.errs)
			}
		})
	}
}
