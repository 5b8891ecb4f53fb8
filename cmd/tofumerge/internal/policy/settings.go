package policy

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/limits"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/gocty"
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
	s := &Settings{called: f.called()}
	name := s.called
	body, diags := limits.Parse(f.Text, name)
	if !diags.HasErrors() {
		diags = append(diags, limits.CheckConstants(body)...)
	}
	if !diags.HasErrors() {
		diags = append(diags, s.decode(body)...)
	}
	if diags.HasErrors() {
		d := diags[0]
		broken := &Error{file: f, kind: d.Summary + ":", why: d.Summary + ": " + d.Detail}
		if d.Subject != nil {
			broken.at = *d.Subject
		}
		return nil, broken
	}
	wrong := s.judge()
	if wrong == nil {
		return s, nil
	}
	return nil, &Error{file: f, kind: "invalid setting.", why: wrong.Error(), at: s.places[wrong.argument]}
}

// decode reads the arguments of a settings file.
func (s *Settings) decode(body hcl.Body) hcl.Diagnostics {
	into := map[string]any{
		"engine": &s.Engine, "against_engines": &s.AgainstEngines,
		"enable": &s.Enable, "disable": &s.Disable, "min_severity": &s.MinSeverity, "fail_on": &s.FailOn,
		"deny": &s.Deny, "allow_files": &s.AllowFiles, "deny_overrides": &s.DenyOverrides,
		"tool_comments": &s.ToolComments,
	}
	s.places = map[string]hcl.Range{}
	schema := &hcl.BodySchema{}
	for _, name := range slices.Sorted(maps.Keys(into)) {
		schema.Attributes = append(schema.Attributes, hcl.AttributeSchema{Name: name})
	}
	content, diags := body.Content(schema)
	for _, a := range schema.Attributes {
		if given := content.Attributes[a.Name]; given != nil {
			diags = append(diags, decodeValue(a.Name, given.Expr, into[a.Name])...)
			s.places[a.Name] = given.Expr.Range()
		}
	}
	return diags
}

// decodeValue reads a constant into the target of a pointer.
func decodeValue(name string, expr hcl.Expression, to any) hcl.Diagnostics {
	v, diags := expr.Value(nil)
	if diags.HasErrors() {
		return diags
	}
	var converted cty.Value
	typ, err := gocty.ImpliedType(to)
	if err == nil {
		converted, err = convertTo(v, typ)
	}
	if err == nil {
		err = gocty.FromCtyValue(converted, to)
	}
	if err != nil {
		diags = append(diags, diag.New(expr.StartRange(), "Unsuitable value type", "%s", unsuitable(name, v, to)))
	}
	return diags
}

// convertTo is convert.Convert, but takes time in proportion to the elements of a list of texts.
func convertTo(v cty.Value, typ cty.Type) (cty.Value, error) {
	isList := v.Type().IsTupleType() && v.IsKnown() && !v.IsNull()
	if !isList || v.LengthInt() == 0 || !typ.Equals(cty.List(cty.String)) {
		return convert.Convert(v, typ)
	}
	list := v.AsValueSlice()
	for i := range list {
		text, err := convert.Convert(list[i], cty.String)
		if err != nil {
			return cty.NilVal, err
		}
		list[i] = text
	}
	return cty.ListVal(list), nil
}

// examples are values of arguments.
var examples = map[string]string{
	"engine": `"opentofu@1.11"`, "against_engines": `["terraform@1.9"]`, "enable": `["unmarked-override"]`, "disable": `["no-effect"]`,
	"min_severity": `"warning"`, "fail_on": `"error"`, "deny": `["aws_iam_*.**"]`, "allow_files": `["dev_*"]`, "tool_comments": `["my-linter:ignore"]`,
}

// maxQuoted is how many bytes of a value are repeated in advice.
const maxQuoted = 100

// unsuitable words that a value is not of the type of an argument. The commonest slip is a
// text without the brackets of a list.
func unsuitable(name string, v cty.Value, to any) string {
	isText := v.Type() == cty.String && v.IsKnown() && !v.IsNull() && len(v.AsString()) <= maxQuoted
	switch to.(type) {
	case *[]string:
		isRule := name == "enable" || name == "disable"
		if isText && (!isRule || check.FindRule(v.AsString()) != nil) {
			return fmt.Sprintf("%s takes a list. Write %[1]s = [%s].", name, computed.ValueText(v))
		}
		return fmt.Sprintf("%s takes a list of strings, such as %s.", name, examples[name])
	case *bool:
		return name + " takes true or false."
	}
	return fmt.Sprintf("%s takes a string, such as %s.", name, examples[name])
}

// An argumentError is an error in the value of an argument.
type argumentError struct {
	argument string
	error
}

func invalidValue(argument, format string, args ...any) *argumentError {
	return &argumentError{argument, fmt.Errorf(format, args...)}
}

// Prepare judges settings that flags have set, and prepares them.
func (s *Settings) Prepare() error {
	if wrong := s.judge(); wrong != nil {
		return wrong.error
	}
	return nil
}

// judge refuses values that make no sense, and prepares the others.
func (s *Settings) judge() *argumentError {
	for _, step := range []func() *argumentError{s.judgeRules, s.judgeDenials, s.judgeSeverities, s.judgeEngines} {
		if wrong := step(); wrong != nil {
			return wrong
		}
	}
	return nil
}

func (s *Settings) judgeRules() *argumentError {
	if err := checkRules(s.Enable); err != nil {
		return &argumentError{"enable", err}
	}
	if err := checkRules(s.Disable); err != nil {
		return &argumentError{"disable", err}
	}
	return nil
}

func checkRules(ids []string) error {
	for _, id := range ids {
		if check.FindRule(id) == nil {
			return unknownRule(id)
		}
	}
	return nil
}

func unknownRule(id string) error {
	if like := check.LikeRule(id); like != "" {
		return fmt.Errorf("unknown rule %q; did you mean %q?", id, like)
	}
	return fmt.Errorf("unknown rule %q; to list all rules, run: tofumerge check --list-rules", id)
}

// maxGlobs is how many patterns of denied items may have a * or a ? beside other text. Each of them is
// compared with each name.
const maxGlobs = 1000

func (s *Settings) judgeDenials() *argumentError {
	s.globs = nil
	globs := 0
	for _, text := range s.Deny {
		g, err := address.ParsePattern(text)
		if err != nil {
			return &argumentError{"deny", err}
		}
		if err := deny.Judge(g); err != nil {
			return &argumentError{"deny", err}
		}
		s.globs = append(s.globs, g)
		if g.HasGlobs() {
			globs++
		}
	}
	if globs > maxGlobs {
		return invalidValue("deny", "%d patterns have a * or a ? beside other text, as in aws_*; at most %d may", globs, maxGlobs)
	}
	for _, glob := range s.AllowFiles {
		if _, err := path.Match(glob, ""); err != nil || glob == "" {
			return invalidValue("allow_files", "invalid pattern of file names %q; use one such as 'dev_*' or override.tf", glob)
		}
	}
	for _, word := range s.ToolComments {
		if len(strings.TrimSpace(word)) < 3 {
			return invalidValue("tool_comments", "invalid word %q; use one of three letters or more, such as my-linter:ignore", word)
		}
	}
	return nil
}

// Doubts words possible mistakes in the patterns of denied items: they start like the type of a
// block.
func (s *Settings) Doubts() []string {
	var list []string
	for _, g := range s.globs {
		if word := deny.Meant(g); word != "" {
			list = append(list, fmt.Sprintf("%q in deny starts with no type of a block; did you mean %s?", g.String(), word))
		}
	}
	return list
}

func (s *Settings) judgeSeverities() *argumentError {
	if s.MinSeverity != nil {
		min, ok := check.ParseSeverity(*s.MinSeverity)
		if !ok {
			return invalidValue("min_severity", "invalid severity %q; use error, warning or notice", *s.MinSeverity)
		}
		s.min = min
	}
	if s.FailOn != nil {
		fail, ok := parseFailOn(*s.FailOn)
		if !ok {
			return invalidValue("fail_on", "invalid severity %q to fail on; use error, warning, notice or never", *s.FailOn)
		}
		s.fail = fail
	}
	return nil
}

func (s *Settings) judgeEngines() *argumentError {
	if s.Engine != nil {
		if _, err := engine.Parse(*s.Engine); err != nil {
			return &argumentError{"engine", err}
		}
	}
	s.others = nil
	for _, name := range s.AgainstEngines {
		e, err := engine.Parse(name)
		if err != nil {
			return &argumentError{"against_engines", err}
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

// enabled are the rules that settings switch on; rules that they also switch off are off.
func (s *Settings) enabled() []string {
	return slices.DeleteFunc(slices.Clone(s.Enable), func(id string) bool { return slices.Contains(s.Disable, id) })
}

// allows reports whether settings exempt an override file from denials.
func (s *Settings) allows(name string) bool {
	return slices.ContainsFunc(s.AllowFiles, func(glob string) bool { return spelling.Matches(glob, name) })
}
