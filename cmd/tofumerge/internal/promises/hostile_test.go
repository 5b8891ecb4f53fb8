package promises_test

import (
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/cli"
)

// Commands end on modules on which they took minutes, as some work was done for each
// pair of two things. Of those every command is slow on, BenchmarkHostile tells.
func TestManyOfOneThing(t *testing.T) {
	cases := []struct{ input, args string }{
		{"comments in a base", "check --enable unmarked-override"},
		{"locals blocks", "check --enable unmarked-override"},
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

// The inputs are modules that can be parsed, so that what they are made for is
// what takes the time.
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
