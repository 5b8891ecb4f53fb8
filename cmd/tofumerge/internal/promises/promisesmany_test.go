package promises_test

import "fmt"

// manyAsOne: a module that is found by -r, or is the root of its own tree, gets the same output as
// alone. A call in it that can't be followed is only a warning.
func manyAsOne(x *subject) string {
	if isEmpty(x.render()) {
		return "" // -r finds no module
	}
	for _, command := range []string{"list", "changes", "diff", "check"} {
		alone := x.run(command)
		for _, flag := range []string{"-r", "--modules"} {
			if command == "diff" && flag == "--modules" {
				continue
			}
			if got := x.run(command, flag); got.status != alone.status {
				return fmt.Sprintf("status %d of %s %s, and %d without\n%s\n%s", got.status, command, flag, alone.status, got.errs, alone.errs)
			}
		}
	}
	return ""
}
