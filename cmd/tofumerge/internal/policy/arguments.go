package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/computed"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/gocty"
)

// An argument is one that settings files may set.
type argument struct {
	name    string
	example string                        // of a value; empty for one that is true or false
	value   func(*Settings) any           // a pointer to it
	isLost  func(*Settings, *Policy) bool // other settings take precedence; nil if they never do
}

// arguments are all of them, in the order in which they are listed.
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

// text is the value in settings as files write it; empty for one that isn't set.
func (a *argument) text(s *Settings) string {
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

// decode reads a constant into settings.
func (a *argument) decode(expr hcl.Expression, s *Settings) hcl.Diagnostics {
	to := a.value(s)
	v, _ := expr.Value(nil) // which parse has done before
	var converted cty.Value
	typ, err := gocty.ImpliedType(to)
	if err == nil {
		converted, err = convertTo(v, typ)
	}
	if err == nil {
		err = gocty.FromCtyValue(converted, to)
	}
	if err != nil {
		return hcl.Diagnostics{diag.New(expr.StartRange(), "Unsuitable value type", "%s", a.unsuitable(v, to))}
	}
	return nil
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

// maxQuoted is how many bytes of a value are repeated in advice.
const maxQuoted = 100

// unsuitable words that a value is not of the type of an argument. The commonest slip is a
// text without the brackets of a list.
func (a *argument) unsuitable(v cty.Value, to any) string {
	isText := v.Type() == cty.String && v.IsKnown() && !v.IsNull() && len(v.AsString()) <= maxQuoted
	switch to.(type) {
	case *[]string:
		isRule := a.name == "enable" || a.name == "disable"
		if isText && (!isRule || check.FindRule(v.AsString()) != nil) {
			return fmt.Sprintf("%s takes a list. Write %[1]s = [%s].", a.name, computed.ValueText(v))
		}
		return fmt.Sprintf("%s takes a list of strings, such as %s.", a.name, a.example)
	case *bool:
		return a.name + " takes true or false."
	}
	return fmt.Sprintf("%s takes a string, such as %s.", a.name, a.example)
}
