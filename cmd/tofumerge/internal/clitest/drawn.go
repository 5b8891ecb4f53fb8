package clitest

import (
	"hash/fnv"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// Properties hold for every engine, so each module is drawn together with one.

// A DrawnTB is a test that follows an engine: all that it runs is for that one.
type DrawnTB struct {
	testing.TB
	Engine engine.Release
}

// EngineOf is the engine that a test follows.
func EngineOf(t testing.TB) engine.Release {
	if drawn, ok := t.(DrawnTB); ok {
		return drawn.Engine
	}
	return engine.Default()
}

// EngineFlag is the flag for the engine that a test follows, if it has drawn one.
func EngineFlag(t testing.TB) []string {
	if drawn, ok := t.(DrawnTB); ok {
		return []string{"--engine", drawn.Engine.String()}
	}
	return nil
}

// Derived is a test that follows an engine derived from its input, so that a failing input is
// enough to repeat a failure.
func Derived(t testing.TB, input ...[]byte) testing.TB {
	sum := fnv.New32a()
	for _, part := range input {
		_, _ = sum.Write(part)
	}
	all := append([]engine.Release{engine.Default()}, engine.Observed()...)
	return DrawnTB{t, all[int(sum.Sum32()%uint32(len(all)))]}
}

// Loses reports whether a warning mentions that the output is incomplete. Messages are broken at
// words.
func Loses(errs string) bool {
	errs = OneLine(errs)
	return strings.Contains(errs, "Connection of a destroy-time provisioner") || strings.Contains(errs, "can't be printed") ||
		strings.Contains(errs, "or print native syntax")
}

// OneLine is a text without its line ends.
func OneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
