package layers_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge/layers"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// TestLive runs engines on the cases: their values must equal the predicted ones, and so must their
// refusals and their messages about undeclared variables.
func TestLive(t *testing.T) {
	engines := loadtest.LiveEngines(t)
	loadtest.Each(t, cases, func(t *testing.T, c *loadtest.Case) {
		for _, l := range engines {
			c := *c
			c.Engine = l.Release
			set, _ := setOf(t, &c)
			if set.Remote != nil || set.IsPartial {
				continue // no engine can evaluate it, or nothing to evaluate
			}
			t.Run(l.String(), func(t *testing.T) {
				r := liveRun{LiveEngine: l, c: &c, set: set, dir: unpack(t, c.Files)}
				t.Parallel()
				if strings.Contains(string(c.Files["main.tf"]), "terraform {") {
					if errs, ok := l.Init(t, r.dir); !ok {
						t.Fatal(errs)
					}
				}
				r.console(t)
			})
		}
	})
}

// A liveRun is a case that an engine runs.
type liveRun struct {
	loadtest.LiveEngine
	c   *loadtest.Case
	set *layers.Set
	dir string
}

// answered compares an answer with the prediction. The rows are the sources of the values in effect.
func (r liveRun) answered(t *testing.T, of, claimed, given string) {
	t.Helper()
	var rows []string
	for _, v := range r.set.Variables() {
		if top := v.InEffect(); top != nil {
			rows = append(rows, "the values of variables: "+string(top.Source))
		}
	}
	slices.Sort(rows)
	loadtest.Answered(t, loadtest.Answer{Module: r.c.Module(), Rows: slices.Compact(rows), Claimed: of + ": " + claimed, Given: of + ": " + given})
}

// console evaluates the values and their types.
func (r liveRun) console(t *testing.T) {
	want := r.want(t)
	out, errs, ok := r.call(t, "", "plan", "-input=false", "-lock=false")
	accepted := map[bool]string{true: "accepted", false: "refused"}
	r.answered(t, "plan", accepted[want != nil], accepted[ok])
	r.complaints(t, out+errs)
	if !ok || want == nil {
		t.Log(errs)
		return
	}
	value, errs, ok := r.ask(t, "jsonencode({%s})", func(name string) string { return "nonsensitive(var." + name + ")" })
	if !ok {
		t.Fatal(errs)
	}
	types, errs, ok := r.ask(t, "type({%s})", func(name string) string { return "var." + name })
	if !ok {
		t.Fatal(errs)
	}
	r.answered(t, "types", typeWords(cty.Object(typesOf(want))), onlyTypes(types))
	var text string
	if err := json.Unmarshal([]byte(lastLine(value)), &text); err != nil {
		t.Fatalf("%v: %s", err, value)
	}
	wanted, err := ctyjson.Marshal(cty.ObjectVal(want), cty.Object(typesOf(want)))
	if err != nil {
		t.Fatal(err)
	}
	r.answered(t, "values", canonical(t, string(wanted)), canonical(t, text))
}

// want are the values that are known, nil where the engine is to refuse the run.
func (r liveRun) want(t *testing.T) map[string]cty.Value {
	values := map[string]cty.Value{}
	for _, v := range r.set.Variables() {
		switch result := r.set.Result(v); {
		case len(r.set.Broken) > 0, result.State == layers.Refused, result.State == layers.Unset:
			return nil
		case result.State == layers.Known:
			values[v.Name] = result.Value
		case result.State == layers.Undecided:
			t.Logf("undecided: %s: %s", v.Name, result.Why)
		}
	}
	return values
}

// ask makes the engine evaluate an expression about all variables.
func (r liveRun) ask(t *testing.T, format string, of func(name string) string) (out, errs string, ok bool) {
	var pairs []string
	for _, v := range r.set.Variables() {
		if r.set.Result(v).State == layers.Known {
			pairs = append(pairs, v.Name+"="+of(v.Name))
		}
	}
	return r.call(t, fmt.Sprintf(format, strings.Join(pairs, ","))+"\n", "console")
}

// call runs a command.
func (r liveRun) call(t *testing.T, input string, args ...string) (out, errs string, ok bool) {
	return r.Run(t, loadtest.Call{Dir: r.dir, Args: append(args, "-no-color"), Input: input})
}

// complaints compares the number of the engine's warnings of undeclared variables. After two it only
// gives their number.
func (r liveRun) complaints(t *testing.T, said string) {
	want := 0
	for _, v := range r.set.Variables() {
		if v.Item != nil {
			continue
		}
		if _, diags := v.InEffect().Value.Constant(); !diags.HasErrors() {
			want = min(want+1, 2)
		}
	}
	got := strings.Count(said, "Warning: Value for undeclared variable")
	r.answered(t, "messages about undeclared variables", fmt.Sprint(want), fmt.Sprint(got))
}

func typesOf(values map[string]cty.Value) map[string]cty.Type {
	types := map[string]cty.Type{}
	for name, v := range values {
		types[name] = v.Type()
	}
	return types
}

var blanks = regexp.MustCompile(`\s`)

// onlyTypes is the console's output for a type, behind warnings and without blanks.
func onlyTypes(out string) string {
	return strings.ReplaceAll(blanks.ReplaceAllString(out[strings.LastIndex("\n"+out, "\nobject("):], ""), ",)", ")")
}

// typeWords is a type as the console prints it, without blanks.
func typeWords(t cty.Type) string {
	var words []string
	switch {
	case t.IsObjectType():
		for _, name := range slices.Sorted(maps.Keys(t.AttributeTypes())) {
			words = append(words, blanks.ReplaceAllString(name, "")+":"+typeWords(t.AttributeType(name)))
		}
		if len(words) == 0 {
			return "object({})"
		}
		return "object({" + strings.Join(words, ",") + ",})"
	case t.IsTupleType():
		for _, elem := range t.TupleElementTypes() {
			words = append(words, typeWords(elem))
		}
		if len(words) == 0 {
			return "tuple([])"
		}
		return "tuple([" + strings.Join(words, ",") + ",])"
	case t.IsCollectionType():
		return kindOf(t) + "(" + typeWords(t.ElementType()) + ")"
	case t == cty.DynamicPseudoType:
		return "dynamic"
	}
	return t.FriendlyName()
}

func kindOf(t cty.Type) string {
	switch {
	case t.IsListType():
		return "list"
	case t.IsSetType():
		return "set"
	}
	return "map"
}

// lastLine is the line that a console prints a text in.
func lastLine(out string) string {
	out = strings.TrimSpace(out)
	return out[strings.LastIndex(out, "\n")+1:]
}

// canonical is a text of JSON, without the order of names and the spelling of numbers.
func canonical(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	out, _ := json.Marshal(v)
	return string(out)
}
