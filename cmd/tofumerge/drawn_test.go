package main

import (
	"hash/fnv"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load"
	"pgregory.net/rapid"
)

// Properties hold whatever engine is followed, so each module comes with one.

// A drawnTB is a test that follows an engine: all that it runs is for that one.
type drawnTB struct {
	testing.TB
	engine load.Engine
}

// drawEngine draws one of the known engines, half of the time the default one,
// which most people follow.
func drawEngine(t *rapid.T) load.Engine {
	return rapid.OneOf(rapid.Just(load.DefaultEngine()), rapid.SampledFrom(load.Observed())).Draw(t, "engine")
}

// engineOf is the engine that a test follows.
func engineOf(t testing.TB) load.Engine {
	if drawn, ok := t.(drawnTB); ok {
		return drawn.engine
	}
	return load.DefaultEngine()
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
	all := append([]load.Engine{load.DefaultEngine()}, load.Observed()...)
	return drawnTB{t, all[int(sum.Sum32()%uint32(len(all)))]}
}
