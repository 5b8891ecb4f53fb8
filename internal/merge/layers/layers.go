package layers

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/assignments"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Inputs are the inputs of a run besides the configuration.
type Inputs struct {
	Environment []assignments.Value
	Files       []*assignments.File // of the directory, in load order
	Options     []OptionInput       // in the order given
	Test        *TestInputs         // nil for other commands than test
}

// An OptionInput is one option: a value, or a file of values.
type OptionInput struct {
	Value *assignments.Value
	File  *assignments.File
}

// TestInputs are the inputs of a test file.
type TestInputs struct {
	Files []*assignments.File // of the directory of tests, in load order
	File  *assignments.Tests
	Run   *assignments.Run // nil for what holds for the whole file
}

// A Layer is something that gives a variable a value.
type Layer struct {
	Rule *Rule
	// Value is the given value; nil for a default, and if the test file declares the variable.
	Value *assignments.Value
	// Default is the argument in effect; nil for other layers.
	Default *source.Attr
	Range   hcl.Range // of the name
	// IsSecret is set if the value must not be shown.
	IsSecret bool
}

// A Variable is a name with its layers.
type Variable struct {
	Name string
	// Item is the declaration; nil if the module has none.
	Item   *merge.MergedItem
	Layers []Layer // each is outranked by the next one
}

// InEffect is the layer that outranks the others, nil without any.
func (v *Variable) InEffect() *Layer {
	if len(v.Layers) == 0 {
		return nil
	}
	return &v.Layers[len(v.Layers)-1]
}

// A Set has the layers of all variables of a module.
type Set struct {
	Module *merge.Module
	// Broken are the files that the engine refuses, so that there is no run.
	Broken []string
	// Remote is the block in effect with which variables may be set elsewhere, or nil.
	Remote source.Item
	// Callers are the known calls that load the module.
	Callers []Caller
	// IsPartial is set if some configuration file can't be read or parsed: it may declare any
	// variable.
	IsPartial bool

	inTests   bool
	variables []*Variable // declared ones in load order, then the others as they are given
	byName    map[string]*Variable
}

// Of finds the layers of the variables of a module, as if that were the root module.
func Of(m *merge.Module, in Inputs) *Set {
	s := &Set{Module: m, Remote: remoteOf(m), inTests: in.Test != nil, byName: map[string]*Variable{}}
	s.IsPartial = slices.ContainsFunc(m.Source.Files, func(f *source.File) bool { return f.Broken })
	s.addDeclared()
	s.values(Environment, in.Environment)
	s.files(File, in.Files)
	for _, o := range in.Options {
		if o.File != nil {
			s.files(OptionFile, []*assignments.File{o.File})
		} else {
			s.values(Option, []assignments.Value{*o.Value})
		}
	}
	if in.Test != nil {
		s.test(in.Test)
	}
	return s
}

// Variables lists those that are declared in load order, and then those that are only given
// a value.
func (s *Set) Variables() []*Variable { return s.variables }

// Variable returns the variable of a name, or nil.
func (s *Set) Variable(name string) *Variable { return s.byName[name] }

// Declares reports whether an item declares a variable, or is an argument of one that does.
func Declares(item *merge.MergedItem) bool {
	return item.InEffect() && declares(item.Live[0])
}

// declares reports whether an item of a file declares a variable, or is in a block that does.
func declares(it source.Item) bool {
	b := source.Top(it)
	return b != nil && b.Type == declaration && language.HasItsLabels(b)
}

// Of is the variable that an item declares, or that the item is an argument of, if anything
// but its default gives it a value; nil for others, and in a set that is nil.
func (s *Set) Of(item *merge.MergedItem) *Variable {
	if s == nil || !item.InEffect() {
		return nil
	}
	return s.GivenAt(item.Live[0])
}

// GivenAt is Of for an item of a file.
func (s *Set) GivenAt(it source.Item) *Variable {
	if s == nil || !declares(it) {
		return nil
	}
	v := s.byName[source.Top(it).Labels[0]]
	if v != nil && slices.ContainsFunc(v.Layers, func(l Layer) bool { return l.Default == nil }) {
		return v
	}
	return nil
}

// DeclaredBy is the variable that an item declares, or that the item is an argument of; nil for
// others, and in a set that is nil.
func (s *Set) DeclaredBy(item *merge.MergedItem) *Variable {
	if s == nil || !Declares(item) {
		return nil
	}
	return s.byName[source.Top(item.Live[0]).Labels[0]]
}

// addDeclared adds the variables of the module, with their defaults.
func (s *Set) addDeclared() {
	items := s.Module.AllOf(func(f *source.File, i int) bool { return string(f.TypeOf(i)) == declaration })
	for _, item := range s.Module.InLoadOrder(items) {
		if item.Path != declaration || !item.InEffect() || !language.HasItsLabels(item.Live[0].(*source.Block)) {
			continue
		}
		v := s.variable(item.Live[0].(*source.Block).Labels[0])
		v.Item = item
		if a := argumentOf(item, defaultOf); a != nil {
			isSecret := s.Module.Source.Secrets().Covers(a)
			v.Layers = append(v.Layers, Layer{Rule: RuleOf(Default, s.Module.Source.Engine), Default: a, Range: source.Where(a), IsSecret: isSecret})
		}
	}
}

// variable is the variable of a name, which is taken up if it is new.
func (s *Set) variable(name string) *Variable {
	v := s.byName[name]
	if v == nil {
		v = &Variable{Name: name}
		s.byName[name] = v
		s.variables = append(s.variables, v)
	}
	return v
}

// argumentOf is an argument in effect of a block.
func argumentOf(item *merge.MergedItem, name string) *source.Attr {
	return item.Inner().Item(merge.Key{Name: name}).Attr()
}

// block is the declaration of a variable in a primary file, nil without one.
func (v *Variable) block() *source.Block {
	if v.Item == nil {
		return nil
	}
	return v.Item.Live[0].(*source.Block)
}

// files adds the values of files.
func (s *Set) files(from Source, files []*assignments.File) {
	for _, f := range files {
		if f.Broken {
			s.Broken = append(s.Broken, f.Name)
		}
		s.valuesOf(from, f.Values, f.Outside)
	}
}

func (s *Set) values(from Source, values []assignments.Value) { s.valuesOf(from, values, false) }

// valuesOf adds values, unless the engine knows no such source of them.
func (s *Set) valuesOf(from Source, values []assignments.Value, isOutside bool) {
	rule := RuleOf(from, s.Module.Source.Engine)
	if rule == nil {
		return
	}
	secrets := s.Module.Source.Secrets()
	for i := range values {
		value := &values[i]
		v := s.variable(value.Name)
		isSecret := isOutside && !s.Module.Source.ShowSource || secrets.CoversGiven(v.block(), value.Name, value.Text())
		v.Layers = append(v.Layers, Layer{Rule: rule, Value: value, Range: value.Key, IsSecret: isSecret})
	}
}

// test adds the values of a test file, and the files loaded for it.
func (s *Set) test(in *TestInputs) {
	rule := RuleOf(TestsFile, s.Module.Source.Engine)
	isBeside := len(in.Files) > 0 && path.Dir(in.File.Name) == path.Dir(in.Files[0].Name)
	if rule != nil && (!rule.Beside || isBeside) {
		s.files(TestsFile, in.Files)
	}
	if in.File.Broken {
		s.Broken = append(s.Broken, in.File.Name)
	}
	if rule := RuleOf(TestDeclaration, s.Module.Source.Engine); rule != nil {
		for _, name := range slices.Sorted(maps.Keys(in.File.Declared)) {
			v := s.variable(name)
			v.Layers = append(v.Layers, Layer{Rule: rule, Range: in.File.Declared[name]})
		}
	}
	s.values(TestValues, in.File.Values)
	if in.Run != nil {
		s.values(RunValues, in.Run.Values)
	}
}

// remoteOf is the block in effect with which variables may be set elsewhere, or nil.
func remoteOf(m *merge.Module) source.Item {
	for _, r := range remotes {
		item := itemAt(m, r.path)
		if item == nil || !item.InEffect() {
			continue
		}
		if b, ok := item.Live[0].(*source.Block); ok && (r.label == "" || slices.Equal(b.Labels, []string{r.label})) {
			return b
		}
	}
	return nil
}

// itemAt follows a path of block types; all top-level blocks of the first type are one item.
func itemAt(m *merge.Module, way string) *merge.MergedItem {
	top, rest, _ := strings.Cut(way, "/")
	body := m.Root
	item := body.Item(merge.Key{Name: top})
	for item != nil && rest != "" {
		top, rest, _ = strings.Cut(rest, "/")
		item = item.Inner().Item(merge.Key{Name: top})
	}
	return item
}
