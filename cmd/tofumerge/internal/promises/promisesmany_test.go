package promises_test

import "fmt"

// manyAsOne: a module that -r finds gets the same status as alone.
func manyAsOne(x *subject) string {
	if isEmpty(x.render()) {
		return "" // -r finds no module
	}
	for _, command := range []string{"list", "changes", "diff", "check"} {
		alone := x.run(command)
		if got := x.run(command, "-r"); got.status != alone.status {
			return fmt.Sprintf("status %d of %s -r, and %d without\n%s\n%s", got.status, command, alone.status, got.errs, alone.errs)
		}
	}
	return ""
}
