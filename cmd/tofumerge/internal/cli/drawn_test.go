package cli

import (
	"hash/fnv"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// Properties hold whatever engine is followed, so each module comes with one.

// A drawnTB is a test that follows an engine: all that it runs is for that one.
type drawnTB struct {
	testing.TB
	engine engine.Release
}

// engineOf is the engine that a test follows.
func engineOf(t testing.TB) engine.Release {
	if drawn, ok := t.(drawnTB); ok {
		return drawn.engine
	}
	return engine.Default()
}

// engineFlag tells the program which engine a test follows, if it has drawn one.
func engineFlag(t testing.TB) []string {
	if drawn, ok := t.(drawnTB); ok {
		return []string{"--engine", drawn.engine.String()}
	}
	return nil
}

// derived is a test that follows an engine which its input stands for, so that what
// was found once needs no engine beside it.
func derived(t testing.TB, input ...[]byte) testing.TB {
	sum := fnv.New32a()
	for _, part := range input {
		_, _ = sum.Write(part)
	}
	all := append([]engine.Release{engine.Default()}, engine.Observed()...)
	return drawnTB{t, all[int(sum.Sum32()%uint32(len(all)))]}
}
