// Package policy decides which findings check looks for in a module, which items are denied, and
// which findings make a run fail.
//
// It combines the user's settings (flags, and the file of --config) with a Source of settings
// files: the disk, the buffers of an editor, a revision of a Git repository or its index. For
// returns the policy of a directory. The user has the last word. Of the files, a nearer one only
// adds to an outer one, because the change under review may have written it; files of a revision
// aren't part of that change, so they may also switch off errors.
//
// A file that can't be read, or that sets an unknown name, is an Error with its location: half a
// policy would be the wrong gate. A file reached through a link out of the repository is never
// quoted. The package prints nothing and knows no command.
package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/gocty"
)

// A Policy decides which findings check looks for in a module and which items are denied. The user decides
// with flags and the file of --config, and has the last word. The settings files beside the module, and above
// it, may be part of the very change under review. So a nearer one only adds to an outer one, no file revokes
// the user's settings, and none hides an error, unless it is of a revision that the user has named.
type Policy struct {
	user *Settings

	on       map[string]bool   // by id: whether check looks for the rule
	offBy    map[string]string // by id: the setting that switched the rule off
	silentBy map[string]string // by id: the setting that leaves out even errors of the rule
	thresholds
	// outer holds the thresholds that no change under review can have edited: the user's, and those of a
	// revision that the user named. Only they count for binding rules, which detect switched-off rules.
	outer       thresholds
	others      []engine.Release // engines that must read the module alike
	needsNewest bool             // the newest release of the other product must, too
	denials     []*Settings      // settings with denials, each with its own exceptions
	patterns    *patternCache
}

// combine makes the policy of a module from the user's settings and those of files, the outermost first.
// patterns caches the patterns of all policies of a run.
func combine(user *Settings, files []*Settings, patterns *patternCache) *Policy {
	p := &Policy{
		user: user, on: map[string]bool{}, offBy: map[string]string{}, silentBy: map[string]string{},
		thresholds: newThresholds(), outer: newThresholds(),
		denials: append([]*Settings{user}, files...), patterns: patterns,
	}
	for _, r := range check.Rules {
		p.on[r.ID] = !r.Off
	}
	enabledOutside := map[string]bool{} // rules that an outer file enables: nearer ones can't switch them off
	for _, s := range files {
		// A foreign file, which the change under review can't have edited, may hide errors, too.
		for _, id := range s.Disable {
			if !enabledOutside[id] {
				p.disable(s, id, s.isForeign)
			}
		}
		for _, id := range s.enabled() {
			p.enable(id)
			enabledOutside[id] = true
		}
		p.thresholds.addNearer(s)
		if s.isForeign {
			p.outer.addNearer(s)
		}
		p.addEngines(s)
	}
	for _, id := range user.enabled() {
		p.enable(id)
	}
	for _, id := range user.Disable {
		p.disable(user, id, true) // the user's own flags may hide errors
	}
	p.thresholds.addUser(user)
	p.outer.addUser(user)
	// The engines that the user names replace those of files.
	if len(user.others) > 0 {
		p.others, p.needsNewest = nil, false
	}
	p.addEngines(user)
	return p
}

// enable switches a rule on, and forgets what switched it off.
func (p *Policy) enable(id string) {
	p.on[id] = true
	delete(p.offBy, id)
	delete(p.silentBy, id)
}

// disable switches a rule off for settings s. mayHideErrors is false for settings that may be part of the
// change under review: errors of the rule are then still reported. If several settings disable the rule, the
// first one counts as the origin.
func (p *Policy) disable(s *Settings, id string, mayHideErrors bool) {
	if p.on[id] {
		p.on[id], p.offBy[id] = false, s.disableOrigin(id)
	}
	if mayHideErrors && p.silentBy[id] == "" {
		p.silentBy[id] = s.disableOrigin(id)
	}
}

// addEngines adds the engines that must read the module alike. Settings that enable the rule engines-differ without
// naming any mean the newest release of the other product.
func (p *Policy) addEngines(s *Settings) {
	p.others = append(p.others, s.others...)
	if len(s.others) == 0 && slices.Contains(s.enabled(), check.EnginesDiffer.ID) {
		p.needsNewest = true
	}
}

// LooksFor reports whether a rule is on.
func (p *Policy) LooksFor(id string) bool { return p.on[id] }

// Judges reports whether a rule is on, or was on until a setting switched it off. A report counts the findings
// of both.
func (p *Policy) Judges(id string) bool { return p.on[id] || p.offBy[id] != "" }

// SwitchesOff reports whether a setting switches off any rule that was on.
func (p *Policy) SwitchesOff() bool { return len(p.offBy) > 0 }

// Wants reports whether to report a finding: one of a rule that is on, with a sufficient severity. Only the
// user, or a revision that the user named, can leave out an error, or a finding of a binding rule.
func (p *Policy) Wants(f check.Finding) bool {
	switch {
	case f.Severity == check.Error:
		return p.silentBy[f.Rule.ID] == ""
	case f.Rule.Binding:
		return p.silentBy[f.Rule.ID] == "" && f.Severity >= p.outer.min
	}
	return p.LooksFor(f.Rule.ID) && f.Severity >= p.min
}

// LeftOutBy returns the setting that leaves out a finding, as FILE:LINE or --FLAG. It returns "" if Wants accepts
// the finding, or if its rule is off by default.
func (p *Policy) LeftOutBy(f check.Finding) string {
	isHardToHide := f.Severity == check.Error || f.Rule.Binding // the change under review can't leave it out
	silentBy := p.silentBy[f.Rule.ID]
	switch {
	case p.Wants(f):
		return ""
	case isHardToHide && silentBy != "":
		return silentBy
	// Wants accepts all other errors, so this is a finding of a binding rule, below the threshold for these.
	case isHardToHide:
		return p.outer.minBy
	case !p.LooksFor(f.Rule.ID):
		return p.offBy[f.Rule.ID]
	}
	return p.minBy // below the threshold for ordinary findings
}

// DeniesFile reports whether the policy denies an override file as a whole. The user can allow a file that
// settings files deny; a settings file exempts files only from its own denials.
func (p *Policy) DeniesFile(name string) bool {
	return !p.user.allows(name) && slices.ContainsFunc(p.denials, func(s *Settings) bool {
		return s.DenyOverrides && !s.allows(name)
	})
}

// deniesAny reports whether the policy denies anything.
func (p *Policy) deniesAny() bool {
	return slices.ContainsFunc(p.denials, func(s *Settings) bool { return s.DenyOverrides || len(s.globs) > 0 })
}

// CouldFind reports whether this run would report the finding of a baseline that has the key k, if the module
// still had it. If so, and the run doesn't report it, the finding is gone. isAboutFile tells whether the run
// looks at the file of the finding.
func (p *Policy) CouldFind(k check.Key, isAboutFile bool) bool {
	r := check.FindRule(k.Rule)
	if r == nil {
		return true // the rule is gone, and so are its findings
	}
	if r == check.DeniedOverride && (!isAboutFile || !p.deniesAny()) { // no denial looks at the file in this run
		return false
	}
	return p.Wants(check.Finding{Rule: r, Severity: r.Severity})
}

// OtherEngines returns the engines that must read a module as e does: those that settings name, and the newest
// release of the other product if no setting names any, or a file enables the rule without naming any.
func (p *Policy) OtherEngines(e engine.Release) []engine.Release {
	needsNewest := p.needsNewest || len(p.others) == 0
	newest := e.Product.Other().Newest()
	isNewest := func(other engine.Release) bool { return other.String() == newest.String() }
	if !needsNewest || slices.ContainsFunc(p.others, isNewest) {
		return p.others
	}
	return append(slices.Clone(p.others), newest)
}

// An argument describes an argument of settings files.
type argument struct {
	name        string
	example     string                        // a value; empty for an argument that takes true or false
	value       func(*Settings) any           // a pointer to the field for it
	isOutranked func(*Settings, *Policy) bool // whether other settings outrank it; nil if they never do
}

// arguments holds all arguments, in the order of --show-settings.
var arguments = []argument{
	{"engine", `"opentofu@1.11"`, func(s *Settings) any { return &s.Engine }, nil},
	{"against_engines", `["terraform@1.9"]`, func(s *Settings) any { return &s.AgainstEngines }, nil},
	{"enable", `["unmarked-override"]`, func(s *Settings) any { return &s.Enable },
		func(s *Settings, p *Policy) bool { return !slices.ContainsFunc(s.Enable, p.LooksFor) }},
	{"disable", `["no-effect"]`, func(s *Settings) any { return &s.Disable },
		func(s *Settings, p *Policy) bool {
			return !slices.ContainsFunc(s.Disable, func(id string) bool { return !p.LooksFor(id) })
		}},
	{"deny", `["aws_iam_*.**"]`, func(s *Settings) any { return &s.Deny }, nil},
	{"allow_files", `["dev_*"]`, func(s *Settings) any { return &s.AllowFiles }, nil},
	{"deny_overrides", "", func(s *Settings) any { return &s.DenyOverrides }, nil},
	{"tool_comments", `["my-linter:ignore"]`, func(s *Settings) any { return &s.ToolComments }, nil},
	{"min_severity", `"warning"`, func(s *Settings) any { return &s.MinSeverity },
		func(s *Settings, p *Policy) bool { return s.min != p.min }},
	{"fail_on", `"error"`, func(s *Settings) any { return &s.FailOn },
		func(s *Settings, p *Policy) bool { return s.fail != p.fail.from }},
}

// textIn returns the value of the argument in settings as files write it, or "" if it isn't set.
func (a *argument) textIn(s *Settings) string {
	switch value := a.value(s).(type) {
	case **string:
		if *value != nil {
			return strconv.Quote(**value)
		}
	case *[]string:
		var words []string
		for _, word := range *value {
			words = append(words, strconv.Quote(word))
		}
		if len(words) > 0 {
			return "[" + strings.Join(words, ", ") + "]"
		}
	case *bool:
		if *value {
			return "true"
		}
	}
	return ""
}

// decode stores the constant value of an expression in settings, in the field for the argument.
func (a *argument) decode(expr hcl.Expression, s *Settings) hcl.Diagnostics {
	to := a.value(s)
	v, _ := expr.Value(nil) // parse has evaluated it before, without an error
	// Convert the value to the type of the field, and store it there. Each step needs the one before.
	var converted cty.Value
	typ, err := gocty.ImpliedType(to)
	if err == nil {
		converted, err = convertTo(v, typ)
	}
	if err == nil {
		err = gocty.FromCtyValue(converted, to)
	}
	if err != nil {
		return hcl.Diagnostics{diag.New(expr.StartRange(), "Unsuitable value type", "%s", a.unsuitableAdvice(v, to))}
	}
	return nil
}

// convertTo converts as convert.Convert does, but takes only linear time for a list of texts, by converting each
// element on its own.
func convertTo(v cty.Value, typ cty.Type) (cty.Value, error) {
	isList := v.Type().IsTupleType() && v.IsKnown() && !v.IsNull() // [...] is a tuple at first
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

// maxQuoted is the maximum length in bytes of a value that advice repeats.
const maxQuoted = 100

// unsuitableAdvice returns advice about v, a value of the wrong type for the field that to points to. The
// commonest slip is a text without the brackets of a list.
func (a *argument) unsuitableAdvice(v cty.Value, to any) string {
	isText := v.Type() == cty.String && v.IsKnown() && !v.IsNull() && len(v.AsString()) <= maxQuoted
	switch to.(type) {
	case *[]string:
		takesRules := a.name == "enable" || a.name == "disable"
		isElement := isText && (!takesRules || check.FindRule(v.AsString()) != nil)
		if isElement { // v would be a valid element, so only the brackets are missing
			return fmt.Sprintf("%s takes a list. Write %[1]s = [%s].", a.name, computed.ValueText(v))
		}
		return fmt.Sprintf("%s takes a list of strings, such as %s.", a.name, a.example)
	case *bool:
		return a.name + " takes true or false."
	}
	return fmt.Sprintf("%s takes a string, such as %s.", a.name, a.example)
}

// A Source finds and reads settings files.
type Source interface {
	// Above lists the directories whose settings files apply to a module, the nearest first.
	Above(dir string) ([]string, error)
	// Read reads the settings file of a directory that Above has listed, or that is on the disk.
	// The error is fs.ErrNotExist if there is none.
	Read(dir string) (File, error)
}

// A File is a settings file.
type File struct {
	// Path is the path of the file, perhaps in a checkout; empty for a file that only a revision
	// has.
	Path string
	// Name is how messages name a file without a Path.
	Name string
	Text []byte
	// IsWithheld means that no message may quote the text.
	IsWithheld bool
	// IsForeign means that the change under review can't have edited the file.
	IsForeign bool
}

// A Disk reads settings files from the disk.
type Disk struct {
	// Open, if set, returns the text of a file that is open in an editor.
	Open func(path string) (text []byte, isOpen bool)
}

// Above implements Source for a module directory on the disk.
func (Disk) Above(dir string) ([]string, error) { return repo.SettingsDirs(dir), nil }

// Read implements Source. A broken link is a file that can't be read.
func (d Disk) Read(dir string) (File, error) {
	path := filepath.Join(dir, FileName)
	if !repo.Disk(d).Has(path) {
		return File{Path: path}, fs.ErrNotExist // also without access to the directory, which is a finding of its own
	}
	return d.read(path)
}

// read reads a file that exists, if only as a link to a missing file, which is an error.
func (d Disk) read(path string) (File, error) {
	text, err := repo.Disk(d).Read(path, input.MaxSettingsSize)
	if errors.Is(err, fs.ErrNotExist) && repo.Disk(d).Has(path) {
		err = errDangling
	}
	return File{Path: path, Text: text, IsWithheld: repo.Disk(d).EscapesRepo(path)}, err
}

var errDangling = errors.New("the target of the symbolic link does not exist")

// Which findings make a run fail. Which are reported is another question: a repository may
// want to see notices long before they stop anybody.

// never is a severity above that of all findings.
const never = check.Error + 1

// A failureRule decides which findings make a run fail: by default those at or above the higher of
// warning and min_severity, and all of a rule that is enabled by name. fail_on takes precedence
// over both, but no nearer file raises the threshold of an outer one, or of the user.
type failureRule struct {
	from          check.Severity
	isSet         bool            // some file has set from
	hasFailOn     bool            // a fail_on has set from, not only a min_severity
	enabledByName map[string]bool // rules that are enabled by name
}

// defaultFailFrom returns the severity from which findings fail if only a min_severity is set: a notice never
// makes a run fail by default.
func defaultFailFrom(min check.Severity) check.Severity { return max(min, check.Warning) }

// addUser adds the user's settings. A fail_on replaces the threshold of files and the rules enabled by name.
// Without it, the settings can only lower a threshold that files set, and enable more rules.
func (f *failureRule) addUser(s *Settings) {
	if s.FailOn != nil {
		f.from, f.enabledByName = s.fail, nil
		return
	}
	from := defaultFailFrom(s.min)
	isLower := !f.isSet || from < f.from
	if s.MinSeverity != nil && isLower {
		f.from = from
	}
	f.addEnabled(s.enabled())
}

// addEnabled adds rules that are enabled by name, whose findings all fail, whatever their severity.
func (f *failureRule) addEnabled(ids []string) {
	for _, id := range ids {
		f.enabledByName[id] = true
	}
}

// fails reports whether the rule makes a run fail because of a finding.
func (f *failureRule) fails(x *check.Finding) bool {
	return x.Severity >= f.from || f.enabledByName[x.Rule.ID]
}

// thresholds hold the severities from which findings are reported, and from which they make a run fail.
type thresholds struct {
	min   check.Severity
	minBy string // the setting that sets min
	isSet bool   // a file has set min
	fail  failureRule
}

// newThresholds returns the thresholds that apply without any settings.
func newThresholds() thresholds {
	return thresholds{fail: failureRule{from: check.Warning, enabledByName: map[string]bool{}}}
}

// addNearer adds a settings file that is nearer to the module than all before. It can only lower thresholds
// that an outer file set, because the change under review may have edited it.
func (t *thresholds) addNearer(s *Settings) {
	if s.MinSeverity != nil && (!t.isSet || s.min < t.min) {
		t.min, t.minBy, t.isSet = s.min, s.minOrigin(), true
	}
	// A fail_on sets the threshold of failure. As long as no file has one, a min_severity sets it, too.
	switch {
	case s.FailOn != nil:
		t.fail.hasFailOn = true
		t.fail.lower(s.fail)
	case s.MinSeverity != nil && !t.fail.hasFailOn:
		t.fail.lower(defaultFailFrom(s.min))
	}
	// Rules that outer files have enabled by name stay among those that fail, whatever a nearer fail_on says.
	if !t.fail.hasFailOn {
		t.fail.addEnabled(s.enabled())
	}
}

// lower sets the threshold of failure to from, unless another file has set one that is as low, or lower.
func (f *failureRule) lower(from check.Severity) {
	if !f.isSet || from < f.from {
		f.from, f.isSet = from, true
	}
}

// addUser adds the user's settings, which outrank all files.
func (t *thresholds) addUser(s *Settings) {
	if s.MinSeverity != nil {
		t.min, t.minBy = s.min, s.minOrigin()
	}
	t.fail.addUser(s)
}

// Failing marks the findings that make the run fail (Finding.Fails), and returns their number.
func (p *Policy) Failing(found []check.Finding) int {
	n := 0
	for i := range found {
		f := &found[i]
		f.Fails = p.fail.fails(f) || f.Rule.Binding && p.outer.fail.fails(f)
		if f.Fails {
			n += f.Count()
		}
	}
	return n
}

// NeverFails reports whether the settings let no finding make a run fail, not even one about a module that
// can't be judged.
func (s *Settings) NeverFails() bool { return s.FailOn != nil && s.fail == never }

// CheckFlags refuses flags that contradict each other: a finding that isn't reported can't make a run fail.
func (s *Settings) CheckFlags() error {
	if s.MinSeverity != nil && s.FailOn != nil && s.fail < s.min {
		return fmt.Errorf("--fail-on %s needs findings that --min-severity %s leaves out; use --min-severity %s",
			*s.FailOn, *s.MinSeverity, *s.FailOn)
	}
	return nil
}

// unsafelyDisabled returns the rules that find errors or are binding, among those that settings disable. A
// file that the change under review may have edited can't disable them.
func (s *Settings) unsafelyDisabled() []string {
	return slices.DeleteFunc(slices.Clone(s.Disable), func(id string) bool {
		r := check.FindRule(id)
		return r.Severity < check.Error && !r.Binding
	})
}

// A patternCache holds the patterns of several settings compiled into one automaton. Compiling takes time, and
// most files of a run share the automaton.
type patternCache struct{ byList sync.Map }

// patternsOf returns the patterns of some settings as one automaton. The cache identifies the settings by
// their pointers, which stay the same during a run.
func (c *patternCache) patternsOf(list []*Settings) *address.Patterns {
	var key strings.Builder
	for _, s := range list {
		fmt.Fprintf(&key, "%p ", s)
	}
	if known, ok := c.byList.Load(key.String()); ok {
		return known.(*address.Patterns)
	}
	var globs []address.Pattern
	for _, s := range list {
		globs = append(globs, s.globs...)
	}
	patterns := address.NewPatterns(globs...)
	c.byList.Store(key.String(), patterns)
	return patterns
}

// DeniedIn returns the patterns of the items that are denied in an override file, or nil if there are none.
// Settings that allow the file deny nothing in it. If the user allows it, no settings do.
func (p *Policy) DeniedIn(name string) *address.Patterns {
	if p.user.allows(name) {
		return nil
	}
	var list []*Settings
	for _, s := range p.denials {
		if len(s.globs) > 0 && !s.allows(name) {
			list = append(list, s)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return p.patterns.patternsOf(list)
}

// A Setting is a value that applies to a module, with its origin.
type Setting struct {
	Name  string `json:"name"` // as settings files write it
	Value string `json:"value"`
	From  string `json:"from"` // FILE:LINE, the command line, or the default
	// Outranked is set if another value of the setting takes precedence.
	Outranked bool `json:"outranked"`
}

// Settings lists the values that apply to a module directory: those of settings files, the
// outermost first, then those of --config, and then flags. It returns the errors in the files.
// flags holds the values on the command line alone. f.User, which combines them with --config,
// only decides which values are outranked.
func (f *Files) Settings(dir string, flags *Settings) ([]Setting, []error) {
	files, broken := f.settingsAbove(dir)
	if len(broken) > 0 {
		return nil, broken
	}
	p := combine(f.User, files, &f.patterns)
	if f.Override != nil {
		files = append(files, f.Override)
	}
	var list []Setting
	for _, s := range append(files, flags) {
		list = append(list, s.valuesSet(p)...)
	}
	return append(list, p.defaultSettings(list)...), nil
}

// defaultSettings returns the severities that apply by default, because no setting in set sets them.
func (p *Policy) defaultSettings(set []Setting) (list []Setting) {
	for _, d := range []Setting{
		{Name: "min_severity", Value: strconv.Quote(p.min.String()), From: "default"},
		{Name: "fail_on", Value: strconv.Quote(p.fail.from.String()), From: "default"},
	} {
		if !slices.ContainsFunc(set, func(s Setting) bool { return s.Name == d.Name }) {
			list = append(list, d)
		}
	}
	return list
}

// valuesSet returns the values that these settings set. p tells which of them others outrank.
func (s *Settings) valuesSet(p *Policy) (list []Setting) {
	for _, a := range arguments {
		text := a.textIn(s)
		if text == "" {
			continue
		}
		// isFlag is false: s holds either a file, with no value from a flag, or only flags, for which origin ignores it.
		from := s.origin(a.name, "command line", false)
		list = append(list, Setting{
			Name: a.name, Value: text, From: from,
			Outranked: a.isOutranked != nil && a.isOutranked(s, p),
		})
	}
	return list
}

// minOrigin returns where min was set: FILE:LINE or --min-severity.
func (s *Settings) minOrigin() string {
	return s.origin("min_severity", "--min-severity", s.flags != nil && s.flags.MinSeverity != nil)
}

// disableOrigin returns where the rule with an id was switched off: FILE:LINE or --disable.
func (s *Settings) disableOrigin(id string) string {
	return s.origin("disable", "--disable", s.flags != nil && slices.Contains(s.flags.Disable, id))
}

// origin returns where the argument with a name was set: flagText, such as --disable, if a flag set it, and otherwise
// FILE:LINE. Settings without a file are those of flags. With --config, s holds values of the file and of flags, so
// isFlag tells whether a flag set this one.
func (s *Settings) origin(name, flagText string, isFlag bool) string {
	if s.displayName == "" || isFlag {
		return flagText
	}
	return fmt.Sprintf("%s:%d", s.displayName, s.places[name].Start.Line)
}
