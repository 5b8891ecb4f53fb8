package loadtest

import (
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"pgregory.net/rapid"
)

// DrawEngine draws one of the known engines, half of the time the default one,
// which most people follow.
func DrawEngine(t *rapid.T) engine.Release {
	return rapid.OneOf(rapid.Just(engine.Default()), rapid.SampledFrom(engine.Observed())).Draw(t, "engine")
}
