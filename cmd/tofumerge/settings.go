package main

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/guard"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/gocty"
)

// configName is the file that holds which engine a repository is for and what it
// wants of check.
const configName = ".tofumerge.hcl"

// settings are what a configuration file says, and then the flags.
type settings struct {
	Engine *string
	// AgainstEngines are others that modules are to mean the same to.
	AgainstEngines []string
	Enable         []string
	Disable        []string
	Deny           []string
	AllowFiles     []string
	DenyOverrides  bool
	MinSeverity    *string
	FailOn         *string

	globs  []address.Pattern // of Deny
	min    check.Severity
	fail   check.Severity
	others []engine.Release // of AgainstEngines
}

// readSettings reads a configuration file.
func readSettings(name string) (*settings, error) {
	s := &settings{}
	src, err := input.Read(name, input.MaxSettingsSize)
	if err != nil {
		return nil, &settingsError{file: name, unread: worldly(err)}
	}
	body, diags := guard.Parse(src, name)
	if !diags.HasErrors() {
		diags = append(diags, guard.CheckConstants(body)...)
	}
	if !diags.HasErrors() {
		diags = append(diags, s.decode(body)...)
	}
	if diags.HasErrors() {
		d := diags[0]
		broken := &settingsError{file: name, why: d.Summary + ": " + d.Detail}
		if leadsOut(name) {
			broken.why = d.Summary + ": " + load.NotQuoted
		}
		if d.Subject != nil {
			broken.at = *d.Subject
		}
		return nil, broken
	}
	switch err := s.settle(); {
	case err != nil && leadsOut(name):
		return nil, &settingsError{file: name, why: "invalid setting. " + load.NotQuoted}
	case err != nil:
		return nil, &settingsError{file: name, why: err.Error()}
	}
	return s, nil
}

// decode reads the arguments of a configuration file.
func (s *settings) decode(body hcl.Body) hcl.Diagnostics {
	into := map[string]any{
		"engine": &s.Engine, "against_engines": &s.AgainstEngines,
		"enable": &s.Enable, "disable": &s.Disable, "min_severity": &s.MinSeverity, "fail_on": &s.FailOn,
		"deny": &s.Deny, "allow_files": &s.AllowFiles, "deny_overrides": &s.DenyOverrides,
	}
	schema := &hcl.BodySchema{}
	for _, name := range slices.Sorted(maps.Keys(into)) {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: name})
	}
	content, diags := body.Content(schema)
	for _, a := range schema.Attributes {
		if given := content.Attributes[a.Name]; given != nil {
			diags = append(diags, decodeSetting(given.Expr, into[a.Name])...)
		}
	}
	return diags
}

// decodeSetting reads a constant into what a pointer leads to.
func decodeSetting(expr hcl.Expression, to any) hcl.Diagnostics {
	v, diags := expr.Value(nil)
	if diags.HasErrors() {
		return diags
	}
	typ, err := gocty.ImpliedType(to)
	if err == nil {
		v, err = convert.Convert(v, typ)
	}
	if err == nil {
		err = gocty.FromCtyValue(v, to)
	}
	if err != nil {
		diags = append(diags, diag.New(expr.StartRange(), "Unsuitable value type", "Unsuitable value: %s", err))
	}
	return diags
}

// A settingsError says why a settings file can't be read or is invalid.
type settingsError struct {
	file   string
	unread error     // nil for one that is invalid
	at     hcl.Range // line 0 for the file as a whole
	why    string
}

func (e *settingsError) Error() string {
	if e.unread != nil {
		return fmt.Sprintf("can't read %s: %v", diag.Escape(fromHere(e.file)), e.unread)
	}
	at := diag.Escape(fromHere(e.file))
	if e.at.Start.Line > 0 {
		at = fmt.Sprintf("%s:%d:%d", at, e.at.Start.Line, e.at.Start.Column)
	}
	return at + ": " + e.why
}

// findingFor is the finding that the settings file of a module says nothing.
func (e *settingsError) findingFor(dir string) check.Finding {
	f := check.Unreadable(fromDir(dir, e.file), e)
	f.Message = e.why
	if e.unread != nil {
		f.Message = fmt.Sprintf("Can't read the file: %s.", e.unread)
	}
	f.Range.Start, f.Range.End = e.at.Start, e.at.End
	return f
}

// fromHere is how a file is reached from where the program runs.
func fromHere(name string) string {
	if !filepath.IsAbs(name) {
		return name
	}
	return fromDir(".", name)
}

// fromDir is how a file is reached from a directory, with slashes.
func fromDir(dir, name string) string {
	dir, err := filepath.Abs(dir)
	whole, alsoErr := filepath.Abs(name)
	if rel, relErr := filepath.Rel(dir, whole); errors.Join(err, alsoErr, relErr) == nil {
		return filepath.ToSlash(rel)
	}
	return name
}

// settle judges what was set, and prepares it.
func (s *settings) settle() error {
	for _, id := range slices.Concat(s.Enable, s.Disable) {
		if check.FindRule(id) == nil {
			return unknownRule(id)
		}
	}
	s.globs = nil
	for _, text := range s.Deny {
		g, err := address.ParsePattern(text)
		if err != nil {
			return err
		}
		s.globs = append(s.globs, g)
	}
	for _, glob := range s.AllowFiles {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return fmt.Errorf("invalid pattern of file names %q; use one such as 'dev_*' or override.tf", glob)
		}
	}
	if s.MinSeverity != nil {
		min, ok := check.ParseSeverity(*s.MinSeverity)
		if !ok {
			return fmt.Errorf("invalid severity %q; use error, warning or notice", *s.MinSeverity)
		}
		s.min = min
	}
	if s.FailOn != nil {
		fail, ok := parseFailOn(*s.FailOn)
		if !ok {
			return fmt.Errorf("invalid severity %q to fail on; use error, warning, notice or never", *s.FailOn)
		}
		s.fail = fail
	}
	if s.Engine != nil {
		if _, err := engine.Parse(*s.Engine); err != nil {
			return err
		}
	}
	s.others = nil
	for _, name := range s.AgainstEngines {
		e, err := engine.Parse(name)
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
	for _, r := range check.Rules {
		ids = append(ids, r.ID)
	}
	if near := spelling.Similar(id, ids, 1); len(near) > 0 {
		return fmt.Errorf("unknown rule %q; did you mean %q?", id, near[0])
	}
	return fmt.Errorf("unknown rule %q; to list all rules, run: tofumerge check --list-rules", id)
}

// with adds what the flags say, which goes before what the file of --config says.
func (s settings) with(flags *settings) (*settings, error) {
	s.Disable = slices.DeleteFunc(slices.Clone(s.Disable), func(id string) bool {
		return slices.Contains(flags.Enable, id)
	})
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
	if flags.FailOn != nil {
		s.FailOn = flags.FailOn
	}
	return &s, s.settle()
}
