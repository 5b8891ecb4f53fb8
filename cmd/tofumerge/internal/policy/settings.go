package policy

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
)

// FileName is the name of settings files.
const FileName = ".tofumerge.hcl"

// Settings are the values set by a settings file, or by the flags.
type Settings struct {
	Engine *string
	// AgainstEngines are others that modules are to mean the same to.
	AgainstEngines []string
	Enable         []string
	Disable        []string
	Deny           []string
	AllowFiles     []string
	DenyOverrides  bool
	// ToolComments are words of further comments that tools act on.
	ToolComments []string
	MinSeverity  *string
	FailOn       *string

	// isForeign means that the change under review can't have edited them.
	isForeign bool
	called    string               // the file, as messages name it; empty for flags
	places    map[string]hcl.Range // of the values, by argument
	flags     *Settings            // those of With
	globs     []address.Pattern    // of Deny
	min       check.Severity
	fail      check.Severity
	others    []engine.Release // of AgainstEngines
}

// parse parses the text of a settings file.
func parse(f File) (*Settings, *Error) {
	s := &Settings{called: f.called(), isForeign: f.IsForeign}
	body, diags := limits.Parse(f.Text, s.called)
	if !diags.HasErrors() {
		diags = append(diags, limits.CheckConstants(body)...)
	}
	if !diags.HasErrors() {
		diags = append(diags, s.decode(body)...)
	}
	wrong := &Error{file: f}
	if diags.HasErrors() {
		first := diags[0]
		wrong.why = first.Summary + ": " + first.Detail
		if f.IsWithheld {
			wrong.why = first.Summary + ": " + load.NotQuoted
		}
		if first.Subject != nil {
			wrong.at = *first.Subject
		}
		return nil, wrong
	}
	argument, err := s.judge()
	if err == nil {
		return s, nil
	}
	wrong.why, wrong.at = err.Error(), s.places[argument]
	if f.IsWithheld {
		wrong.why = "invalid setting. " + load.NotQuoted
	}
	return nil, wrong
}

// decode reads the arguments of a settings file.
func (s *Settings) decode(body hcl.Body) hcl.Diagnostics {
	s.places = map[string]hcl.Range{}
	byName := slices.SortedFunc(slices.Values(arguments), func(a, b argument) int { return strings.Compare(a.name, b.name) })
	schema := &hcl.BodySchema{}
	for _, a := range byName {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: a.name})
	}
	content, diags := body.Content(schema)
	// The parser goes through its map of arguments, so the errors come in any order.
	slices.SortStableFunc(diags, func(a, b *hcl.Diagnostic) int { return a.Subject.Start.Byte - b.Subject.Start.Byte })
	for _, a := range byName {
		if given := content.Attributes[a.name]; given != nil {
			diags = append(diags, a.decode(given.Expr, s)...)
			s.places[a.name] = given.Expr.Range()
		}
	}
	return diags
}

// Prepare refuses values that make no sense, and prepares the others.
func (s *Settings) Prepare() error {
	_, err := s.judge()
	return err
}

// judge is Prepare, and names the argument of the error.
func (s *Settings) judge() (argument string, err error) {
	for _, step := range []struct {
		argument string
		prepare  func() error
	}{
		{"enable", func() error { return CheckRules(s.Enable) }},
		{"disable", func() error { return CheckRules(s.Disable) }},
		{"deny", s.prepareDenials},
		{"allow_files", s.checkAllowed},
		{"tool_comments", s.checkToolComments},
		{"min_severity", s.prepareMinSeverity},
		{"fail_on", s.prepareFailOn},
		{"engine", s.checkEngine},
		{"against_engines", s.prepareEngines},
	} {
		if err := step.prepare(); err != nil {
			return step.argument, err
		}
	}
	return "", nil
}

// CheckRules refuses names that no rule has.
func CheckRules(ids []string) error {
	for _, id := range ids {
		if check.FindRule(id) != nil {
			continue
		}
		if like := check.LikeRule(id); like != "" {
			return fmt.Errorf("unknown rule %q; did you mean %q?", id, like)
		}
		return fmt.Errorf("unknown rule %q; to list all rules, run: tofumerge check --list-rules", id)
	}
	return nil
}

// maxGlobs is how many patterns of denied items may have a * or a ? beside other text. Each of them is
// compared with each name.
const maxGlobs = 1000

func (s *Settings) prepareDenials() error {
	s.globs = nil
	globs := 0
	for _, text := range s.Deny {
		g, err := address.ParsePattern(text)
		if err == nil {
			err = deny.CheckPattern(g)
		}
		if err != nil {
			return err
		}
		s.globs = append(s.globs, g)
		if g.HasGlobs() {
			globs++
		}
	}
	if globs > maxGlobs {
		return fmt.Errorf("%d patterns have a * or a ? beside other text, as in aws_*; at most %d may", globs, maxGlobs)
	}
	return nil
}

func (s *Settings) checkAllowed() error {
	for _, glob := range s.AllowFiles {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return fmt.Errorf("invalid pattern of file names %q; use one such as 'dev_*' or override.tf", glob)
		}
	}
	return nil
}

func (s *Settings) checkToolComments() error {
	for _, word := range s.ToolComments {
		if len(strings.TrimSpace(word)) < 3 {
			return fmt.Errorf("invalid word %q; use one of three letters or more, such as my-linter:ignore", word)
		}
	}
	return nil
}

// Doubts words possible mistakes in the patterns of denied items: they start like the type of a
// block.
func (s *Settings) Doubts() []string {
	var list []string
	for _, g := range s.globs {
		if word := deny.SimilarKeyword(g); word != "" {
			list = append(list, fmt.Sprintf("%q in deny starts with no type of a block; did you mean %s?", g.String(), word))
		}
	}
	return list
}

func (s *Settings) prepareMinSeverity() error {
	if s.MinSeverity == nil {
		return nil
	}
	var ok bool
	if s.min, ok = check.ParseSeverity(*s.MinSeverity); !ok {
		return fmt.Errorf("invalid severity %q; use error, warning or notice", *s.MinSeverity)
	}
	return nil
}

func (s *Settings) prepareFailOn() error {
	if s.FailOn == nil {
		return nil
	}
	fail, ok := check.ParseSeverity(*s.FailOn)
	switch {
	case *s.FailOn == "never":
		fail = never
	case !ok:
		return fmt.Errorf("invalid severity %q to fail on; use error, warning, notice or never", *s.FailOn)
	}
	s.fail = fail
	return nil
}

func (s *Settings) checkEngine() error {
	if s.Engine == nil {
		return nil
	}
	_, err := engine.Parse(*s.Engine)
	return err
}

func (s *Settings) prepareEngines() error {
	s.others = nil
	for _, name := range s.AgainstEngines {
		e, err := engine.Parse(name)
		if err != nil {
			return err
		}
		s.others = append(s.others, e)
	}
	id := check.EnginesDiffer.ID
	if len(s.others) > 0 && !slices.Contains(slices.Concat(s.Enable, s.Disable), id) {
		s.Enable = append(slices.Clone(s.Enable), id) // who names engines wants to hear of them
	}
	return nil
}

// With adds what flags set, which takes precedence over these settings of --config.
func (s Settings) With(flags *Settings) (*Settings, error) {
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
	s.flags = flags
	return &s, s.Prepare()
}

// Name is how messages name the file of settings; empty for those of flags.
func (s *Settings) Name() string { return s.called }

// enabled are the rules that settings switch on; rules that they also switch off are off.
func (s *Settings) enabled() []string {
	return slices.DeleteFunc(slices.Clone(s.Enable), func(id string) bool { return slices.Contains(s.Disable, id) })
}

// allows reports whether settings exempt an override file from denials.
func (s *Settings) allows(name string) bool {
	return slices.ContainsFunc(s.AllowFiles, func(glob string) bool { return spelling.Matches(glob, name) })
}
