package main

import (
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/render"
)

// configName is the file that holds which engine a repository is for and what it
// wants of check.
const configName = ".tofumerge.hcl"

// settings are what a configuration file says, and then the flags.
type settings struct {
	Engine *string `hcl:"engine"`
	// AgainstEngines are others that modules are to mean the same to.
	AgainstEngines []string `hcl:"against_engines,optional"`
	Enable         []string `hcl:"enable,optional"`
	Disable        []string `hcl:"disable,optional"`
	Deny           []string `hcl:"deny,optional"`
	AllowFiles     []string `hcl:"allow_files,optional"`
	DenyOverrides  bool     `hcl:"deny_overrides,optional"`
	MinSeverity    *string  `hcl:"min_severity"`

	globs  []render.Glob // of Deny
	min    merge.Severity
	others []load.Engine // of AgainstEngines
}

// readSettings reads a configuration file.
func readSettings(name string) (*settings, error) {
	s := &settings{}
	src, err := load.ReadFile(name, load.MaxSettingsSize)
	if err != nil {
		return nil, fmt.Errorf("can't read %s: %w", load.Escape(fromHere(name)), worldly(err))
	}
	body, diags := load.ParseBeside(src, name)
	if !diags.HasErrors() {
		diags = append(diags, gohcl.DecodeBody(body, nil, s)...)
	}
	if diags.HasErrors() {
		d := diags[0]
		at := load.Escape(fromHere(name))
		if d.Subject != nil {
			at = fmt.Sprintf("%s:%d:%d", at, d.Subject.Start.Line, d.Subject.Start.Column)
		}
		return nil, fmt.Errorf("%s: %s: %s", at, d.Summary, d.Detail)
	}
	if err := s.settle(); err != nil {
		return nil, fmt.Errorf("%s: %w", load.Escape(fromHere(name)), err)
	}
	return s, nil
}

// fromHere is how a file is reached from where the program runs.
func fromHere(name string) string {
	here, err := os.Getwd()
	if err != nil {
		return name
	}
	if rel, err := filepath.Rel(here, name); err == nil && filepath.IsAbs(name) {
		return filepath.ToSlash(rel)
	}
	return name
}

// settle judges what was set, and prepares it.
func (s *settings) settle() error {
	for _, id := range slices.Concat(s.Enable, s.Disable) {
		if merge.FindCheckRule(id) == nil {
			return unknownRule(id)
		}
	}
	s.globs = nil
	for _, text := range s.Deny {
		g, err := render.ParseGlob(text)
		if err != nil {
			return err
		}
		s.globs = append(s.globs, g)
	}
	for _, glob := range s.AllowFiles {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return fmt.Errorf("%q is no pattern of file names; write for example 'dev_*' or override.tf", glob)
		}
	}
	if s.MinSeverity != nil {
		min, ok := merge.ParseSeverity(*s.MinSeverity)
		if !ok {
			return fmt.Errorf("the severity %q is none of error, warning and notice", *s.MinSeverity)
		}
		s.min = min
	}
	if s.Engine != nil {
		if _, err := load.ParseEngine(*s.Engine); err != nil {
			return err
		}
	}
	s.others = nil
	for _, name := range s.AgainstEngines {
		e, err := load.ParseEngine(name)
		if err != nil {
			return err
		}
		s.others = append(s.others, e)
	}
	if len(s.others) > 0 && !slices.Contains(slices.Concat(s.Enable, s.Disable), engineRule) {
		s.Enable = append(slices.Clone(s.Enable), engineRule) // who names engines wants to hear of them
	}
	return nil
}

func unknownRule(id string) error {
	var ids []string
	for _, r := range merge.CheckRules {
		ids = append(ids, r.ID)
	}
	if near := load.Similar(id, ids, 1); len(near) > 0 {
		return fmt.Errorf("there is no rule %q; did you mean %q?", id, near[0])
	}
	return fmt.Errorf("there is no rule %q; docs/rules lists them", id)
}

// wants tells whether a finding is to be reported.
func (s *settings) wants(f merge.Finding) bool {
	return s.looksFor(f.Rule.ID) && f.Severity >= s.min
}

// looksFor tells whether a rule is on.
func (s *settings) looksFor(id string) bool {
	on := !merge.FindCheckRule(id).Off || slices.Contains(s.Enable, id)
	return on && !slices.Contains(s.Disable, id)
}

// allows tells whether an override file may be there whatever is denied.
func (s *settings) allows(name string) bool {
	return slices.ContainsFunc(s.AllowFiles, func(glob string) bool { return matchesName(glob, name) })
}

// with adds what the flags say, which goes before what a file says.
func (s settings) with(flags *settings) (*settings, error) {
	s.Disable = slices.DeleteFunc(slices.Clone(s.Disable), func(id string) bool { return slices.Contains(flags.Enable, id) })
	s.Enable = append(slices.Clone(s.Enable), flags.Enable...)
	s.Disable = append(s.Disable, flags.Disable...)
	if len(flags.AgainstEngines) > 0 {
		s.AgainstEngines = flags.AgainstEngines
	}
	s.Deny = append(slices.Clone(s.Deny), flags.Deny...)
	s.AllowFiles = append(slices.Clone(s.AllowFiles), flags.AllowFiles...)
	s.DenyOverrides = s.DenyOverrides || flags.DenyOverrides
	if flags.MinSeverity != nil {
		s.MinSeverity = flags.MinSeverity
	}
	return &s, s.settle()
}

// findConfig finds the configuration file for a directory: in it or in one above
// it, as far up as the repository's root. It returns "" where there is none.
func findConfig(dir string) string {
	for at := range upward(dir) {
		name := filepath.Join(at, configName)
		if _, err := os.Stat(name); err == nil {
			return name // a directory that can't be looked into is a finding of its own
		}
	}
	return ""
}

// upward goes through a directory and those above it, as far up as the
// repository's root. Outside of a repository only the directory itself counts.
func upward(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		abs, err := filepath.Abs(dir)
		if err != nil {
			abs = dir
		}
		root := repositoryRoot(abs)
		for at := abs; yield(at) && root != "" && at != root && at != filepath.Dir(at); {
			at = filepath.Dir(at)
		}
	}
}

// repositoryRoot is the directory above that holds the repository, or "".
func repositoryRoot(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
}

// settingsFiles are the configuration files that a run came across.
type settingsFiles struct {
	file  string   // of --config, which goes before all others
	known sync.Map // *settings by the file that holds them
}

// configOf is the configuration file that counts for a directory, or "".
func (a *app) configOf(dir string) string {
	if a.settings.file != "" {
		return a.settings.file
	}
	return findConfig(dir)
}

// settingsIn reads a configuration file, once; "" stands for none.
func (a *app) settingsIn(name string) (*settings, error) {
	if name == "" {
		return &settings{}, nil
	}
	if known, ok := a.settings.known.Load(name); ok {
		return known.(*settings), nil
	}
	s, err := readSettings(name)
	if err == nil {
		a.settings.known.Store(name, s)
	}
	return s, err
}
