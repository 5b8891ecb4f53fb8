package main

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
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

	places map[string]hcl.Range // of the values, by argument
	globs  []address.Pattern    // of Deny
	min    check.Severity
	fail   check.Severity
	others []engine.Release // of AgainstEngines
}

// readSettings reads a settings file, or takes its text from the editor if it is open there.
func (a *app) readSettings(name string) (*settings, error) {
	src, isOpen := a.files.settingsText(name)
	var err error
	switch {
	case !isOpen:
		src, err = input.Read(name, input.MaxSettingsSize)
	case len(src) > input.MaxSettingsSize:
		err = fmt.Errorf("it is larger than %d bytes", input.MaxSettingsSize)
	}
	if err != nil {
		return nil, &settingsError{file: name, unread: repo.Worldly(err)}
	}
	s, broken := parseSettings(name, src)
	switch {
	case broken == nil:
		return s, nil
	case !isOpen && repo.LeadsOut(name):
		broken.why = broken.kind + " " + load.NotQuoted
	}
	return nil, broken
}

// settingsText returns the text of a settings or version file that is open in an editor, whatever
// name its directory has there.
func (s *fileSource) settingsText(name string) (text []byte, isOpen bool) {
	if len(s.settings) == 0 {
		return nil, false
	}
	name = repo.Absolute(name)
	if text, isOpen = s.settings[name]; isOpen {
		return text, true
	}
	for path, text := range s.settings {
		if filepath.Base(path) == filepath.Base(name) && repo.IsSameFile(filepath.Dir(path), filepath.Dir(name)) {
			return text, true
		}
	}
	return nil, false
}

// parseSettings parses the text of a settings file.
func parseSettings(name string, src []byte) (*settings, *settingsError) {
	s := &settings{}
	body, diags := guard.Parse(src, name)
	if !diags.HasErrors() {
		diags = append(diags, guard.CheckConstants(body)...)
	}
	if !diags.HasErrors() {
		diags = append(diags, s.decode(body)...)
	}
	if diags.HasErrors() {
		d := diags[0]
		broken := &settingsError{file: name, kind: d.Summary + ":", why: d.Summary + ": " + d.Detail}
		if d.Subject != nil {
			broken.at = *d.Subject
		}
		return nil, broken
	}
	err := s.settle()
	if err == nil {
		return s, nil
	}
	broken := &settingsError{file: name, kind: "invalid setting.", why: err.Error()}
	if bad := (*invalidSetting)(nil); errors.As(err, &bad) {
		broken.at = s.places[bad.argument]
	}
	return nil, broken
}

// decode reads the arguments of a configuration file.
func (s *settings) decode(body hcl.Body) hcl.Diagnostics {
	into := map[string]any{
		"engine": &s.Engine, "against_engines": &s.AgainstEngines,
		"enable": &s.Enable, "disable": &s.Disable, "min_severity": &s.MinSeverity, "fail_on": &s.FailOn,
		"deny": &s.Deny, "allow_files": &s.AllowFiles, "deny_overrides": &s.DenyOverrides,
	}
	s.places = map[string]hcl.Range{}
	schema := &hcl.BodySchema{}
	for _, name := range slices.Sorted(maps.Keys(into)) {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: name})
	}
	content, diags := body.Content(schema)
	for _, a := range schema.Attributes {
		if given := content.Attributes[a.Name]; given != nil {
			diags = append(diags, decodeSetting(given.Expr, into[a.Name])...)
			s.places[a.Name] = given.Expr.Range()
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
	kind   string // the same without any text of the file
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

// An invalidSetting is an error in the value of an argument.
type invalidSetting struct {
	argument string
	error
}

// Unwrap returns the error itself.
func (s *invalidSetting) Unwrap() error { return s.error }

func invalid(argument, format string, args ...any) error {
	return &invalidSetting{argument, fmt.Errorf(format, args...)}
}

// settle judges what was set, and prepares it.
func (s *settings) settle() error {
	if err := s.settleRules(); err != nil {
		return err
	}
	s.globs = nil
	for _, text := range s.Deny {
		g, err := address.ParsePattern(text)
		if err != nil {
			return &invalidSetting{"deny", err}
		}
		s.globs = append(s.globs, g)
	}
	for _, glob := range s.AllowFiles {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return invalid("allow_files", "invalid pattern of file names %q; use one such as 'dev_*' or override.tf", glob)
		}
	}
	if s.MinSeverity != nil {
		min, ok := check.ParseSeverity(*s.MinSeverity)
		if !ok {
			return invalid("min_severity", "invalid severity %q; use error, warning or notice", *s.MinSeverity)
		}
		s.min = min
	}
	if s.FailOn != nil {
		fail, ok := parseFailOn(*s.FailOn)
		if !ok {
			return invalid("fail_on", "invalid severity %q to fail on; use error, warning, notice or never", *s.FailOn)
		}
		s.fail = fail
	}
	if s.Engine != nil {
		if _, err := engine.Parse(*s.Engine); err != nil {
			return &invalidSetting{"engine", err}
		}
	}
	s.others = nil
	for _, name := range s.AgainstEngines {
		e, err := engine.Parse(name)
		if err != nil {
			return &invalidSetting{"against_engines", err}
		}
		s.others = append(s.others, e)
	}
	if len(s.others) > 0 && !slices.Contains(slices.Concat(s.Enable, s.Disable), engineRule) {
		s.Enable = append(slices.Clone(s.Enable), engineRule) // who names engines wants to hear of them
	}
	return nil
}

// settleRules checks the names of rules.
func (s *settings) settleRules() error {
	for _, id := range s.Enable {
		if check.FindRule(id) == nil {
			return &invalidSetting{"enable", unknownRule(id)}
		}
	}
	for _, id := range s.Disable {
		if check.FindRule(id) == nil {
			return &invalidSetting{"disable", unknownRule(id)}
		}
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
