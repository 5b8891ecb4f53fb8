package language

import (
	"fmt"
	"testing"
)

// TestKindsHaveRows fails if a kind was added without a row in the table.
func TestKindsHaveRows(t *testing.T) {
	var missing []string
	for k := range Kind(numKinds) {
		if kinds[k].name == "" {
			missing = append(missing, fmt.Sprintf("kind %d", int(k)))
		}
	}
	if missing != nil {
		t.Fatalf("kinds, the table in kinds.go, has no row for %v: add one that says how a string in JSON is read", missing)
	}
}
