package feature

import "testing"

// A reference to a variable is found at each of its characters and right behind it, and nowhere
// else.
func TestReferenceIn(t *testing.T) {
	for _, c := range []struct {
		text     string
		from, to int // where the reference is; from is less than 0 for none
	}{
		{`a = var.stage`, 4, 13},
		{`a = "x ${var.stage} y"`, 9, 18},
		{`a = "var.stage"`, -1, 0},
		{`a = local.var.stage`, -1, 0},
		{`a = 1 # var.stage`, -1, 0},
		{`a = var`, -1, 0},
		{`a = var.`, -1, 0},
		{`a = var.stage[0].b`, 4, 13},
	} {
		for at := range len(c.text) + 1 {
			found := referenceIn([]byte(c.text), 100, 100+at)
			isThere := c.from >= 0 && c.from <= at && at <= c.to
			if (found != nil) != isThere || isThere && *found != (variableSpot{"stage", 100 + c.from, 100 + c.to}) {
				t.Errorf("%s at %d: %+v", c.text, at, found)
			}
		}
	}
}
