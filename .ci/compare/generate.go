package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// generate makes modules: copies of those found, each changed at a few positions. The same seed and
// the same modules give the same copies.
func generate(to string, from []string, o options) ([]string, error) {
	var made []string
	for i := range o.generated {
		g := &generator{rand.New(rand.NewPCG(o.seed, uint64(i))), filepath.Join(to, fmt.Sprintf("%05d", i))}
		if err := copyModule(from[g.IntN(len(from))], g.dir); err != nil {
			return nil, err
		}
		for range 1 + g.IntN(3) {
			if err := g.change(); err != nil {
				return nil, err
			}
		}
		made = append(made, g.dir)
	}
	return made, nil
}

type generator struct {
	*rand.Rand
	dir string
}

// change makes one change to the module.
func (g *generator) change() error {
	names, err := configurationFiles(g.dir)
	if err != nil || len(names) == 0 {
		return err
	}
	name := names[g.IntN(len(names))]
	text, err := os.ReadFile(filepath.Join(g.dir, name))
	if err != nil {
		return err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	at := g.IntN(len(lines))
	switch g.IntN(4) {
	case 0:
		lines = slices.Delete(lines, at, at+1)
	case 1:
		lines = slices.Insert(lines, at, lines[at])
	case 2:
		return g.exchange(name, lines, at, names[g.IntN(len(names))])
	default:
		name = overriding(name)
	}
	return os.WriteFile(filepath.Join(g.dir, name), bytes.Join(lines, nil), 0o644)
}

// exchange exchanges a line with one of another file.
func (g *generator) exchange(name string, lines [][]byte, at int, other string) error {
	text, err := os.ReadFile(filepath.Join(g.dir, other))
	if err != nil {
		return err
	}
	others := bytes.SplitAfter(text, []byte("\n"))
	with := g.IntN(len(others))
	if other == name {
		others = lines
	}
	lines[at], others[with] = others[with], lines[at]
	if err := os.WriteFile(filepath.Join(g.dir, name), bytes.Join(lines, nil), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(g.dir, other), bytes.Join(others, nil), 0o644)
}

// overriding names a file that overrides another one, such as main_override.tf.
func overriding(name string) string {
	stem, suffix, _ := strings.Cut(name, ".")
	return stem + "_override." + suffix
}

// configurationFiles lists the names of those that are regular files, also through
// a link.
func configurationFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if !isConfiguration(e.Name()) {
			continue
		}
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && info.Mode().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
