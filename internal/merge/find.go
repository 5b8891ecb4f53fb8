package merge

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load"
)

// Walk visits every entry with its address, in load order, those that hold others
// before what they hold. Items that no override addressed are not visited unless
// Complete was called.
func (m *Module) Walk(visit func(address string, e *Entry)) { m.walker(visit).walk(m.Root, nil, "") }

// WalkIn visits the entries that one of an address holds.
func (m *Module) WalkIn(address string, e *Entry, visit func(address string, e *Entry)) {
	if e.Inner != nil {
		m.walker(visit).walk(e.Inner, e, address)
	}
}

// Complete makes an entry of every item whose tree was loaded.
func (m *Module) Complete() { m.Steps(func(*Entry, Step) {}) }

// A walker visits entries in the order in which the files were loaded.
type walker struct {
	order map[*load.File]int
	visit func(address string, e *Entry)
}

func (m *Module) walker(visit func(string, *Entry)) *walker {
	if m.order == nil {
		m.order = map[*load.File]int{}
		for i, f := range m.Source.Files {
			m.order[f] = i
		}
	}
	return &walker{order: m.order, visit: visit}
}

func (w *walker) walk(c *Content, of *Entry, address string) {
	entries := w.sorted(c)
	same := map[string]int{}
	for _, e := range entries {
		if e.Rule.Match == Never {
			same[e.Key.Name]++
		}
	}
	seen := map[string]int{}
	for _, e := range entries {
		own := c.addressOf(of, address, e)
		if same[e.Key.Name] > 1 {
			own += fmt.Sprintf("[%d]", seen[e.Key.Name])
			seen[e.Key.Name]++
		}
		if e.Rule.Do != Flatten { // its items have addresses without it
			w.visit(own, e)
		}
		if e.Inner != nil {
			w.walk(e.Inner, e, own)
		}
	}
}

// sorted lists the entries by where they come up first.
func (w *walker) sorted(c *Content) []*Entry {
	first := func(e *Entry) (file, at int) {
		for _, s := range e.Steps {
			if s.Item != nil {
				return w.order[s.Item.Source()], s.Item.Header().Start.Byte
			}
		}
		return 0, 0
	}
	entries := slices.Clone(c.Entries)
	slices.SortStableFunc(entries, func(a, b *Entry) int {
		fileA, atA := first(a)
		fileB, atB := first(b)
		return cmp.Or(fileA-fileB, atA-atB)
	})
	return entries
}

// addressOf is the address of an entry inside a block that has one itself.
func (c *Content) addressOf(of *Entry, address string, e *Entry) string {
	if of == nil || namesItself(e.Rule) {
		return e.Address()
	}
	return address + "." + strings.Join(c.segments(e), ".")
}

// namesItself tells rules whose items have addresses of their own, whatever
// block they stand in, as local values have.
func namesItself(r *Rule) bool { return base(r.Path) == "*" && len(r.Prefix) > 0 }

// segments are what leads to an entry from the block that holds it. The escaping
// block is among them only where the name alone means something else.
func (c *Content) segments(e *Entry) []string {
	var list []string
	if e.Escaped || e.Key.Space == Body && c.shape.Knows(e.Key.Name) {
		list = append(list, load.EscapeBlock)
	}
	list = append(list, e.Key.Name)
	if e.Key.ID != "" && e.Rule.Match != Never {
		list = append(list, e.Key.ID)
	}
	return list
}

// longForms are other ways to start an address: the block type, where addresses
// start with something else, or with nothing.
var longForms = sync.OnceValue(func() map[string]string {
	forms := map[string]string{}
	for _, r := range Rules {
		top := parent(r.Path)
		switch isTop := top == ""; {
		case isTop && r.Match == ByLabels && len(r.Prefix) == 0:
			forms[r.Path] = ""
		case isTop && len(r.Prefix) > 0 && r.Prefix[0] != r.Path:
			forms[r.Path] = r.Prefix[0]
		case !isTop && namesItself(&r):
			forms[top] = r.Prefix[0]
		}
	}
	return forms
})

// ShortForm is what an address starts with instead of a block type, which is
// nothing for resources.
func ShortForm(name string) (string, bool) {
	short, ok := longForms()[name]
	return short, ok
}

// parseAddress takes an address apart.
func parseAddress(text string) ([]segment, error) {
	var list []segment
	for i, part := range strings.Split(text, ".") {
		s := segment{name: part, index: -1}
		if name, number, ok := strings.Cut(part, "["); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(number, "]"))
			if err != nil || n < 0 || !strings.HasSuffix(number, "]") {
				return nil, fmt.Errorf("%q is no address: behind a block's type stands a number in brackets, as in aws_instance.web.provisioner[0]; keys of count and for_each are not known before the module is planned", text)
			}
			s = segment{name, n}
		}
		if s.name == "" {
			return nil, fmt.Errorf("%q is no address; write for example aws_instance.web.ami, var.region, module.vpc.source or terraform.backend", text)
		}
		if short, ok := ShortForm(s.name); ok && i == 0 && strings.Contains(text, ".") {
			s.name = short
		}
		if s.name != "" {
			list = append(list, s)
		}
	}
	return list, nil
}

// Find returns what an address names. Several things may have one address, as
// the versions that several files require. An address that names nothing is no
// error; one that is none is.
func (m *Module) Find(address string) ([]Target, error) {
	segments, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	f := finder{module: m}
	m.Complete()
	m.Walk(func(own string, e *Entry) { f.try(own, e, segments) })
	return f.found, nil
}

// Top returns everything that the top level declares, in load order.
func (m *Module) Top() []Target {
	m.Complete()
	var all []Target
	m.Walk(func(own string, e *Entry) {
		if isTop(e) {
			all = append(all, Target{Address: own, Of: own, Entry: e})
		}
	})
	return all
}

// A finder looks for the longest addresses of entries that an address starts with.
type finder struct {
	module *Module
	found  []Target
	depth  int // segments of the entries found
	// aliases are addresses around the one at hand, and others that stand for them.
	aliases [][2]string
}

func (f *finder) try(own string, e *Entry, segments []segment) {
	for _, name := range f.names(own, e) {
		path, err := parseAddress(name)
		if err != nil || len(path) > len(segments) || len(path) < f.depth {
			continue
		}
		rest, ok := leadsOn(path, segments)
		if e.Inner != nil && len(rest) == 1 && rest[0] == (segment{"", 0}) {
			rest = nil // there is one at most
		}
		t := Target{Address: own + written(rest), Entry: e, Of: own, rest: rest}
		if !ok || len(rest) > 0 && (e.Inner != nil || !t.exists()) {
			continue
		}
		switch {
		case len(path) > f.depth:
			f.found, f.depth = nil, len(path)
		case isTop(e) && !isTop(f.found[0].Entry):
			f.found = nil // an alias goes before an argument of its name
		case !isTop(e) && isTop(f.found[0].Entry):
			return
		}
		f.found = append(f.found, t)
		return
	}
}

func isTop(e *Entry) bool { return !strings.Contains(e.Path, "/") }

// names are the ways to address an entry. Where a rule's items may be addressed
// from elsewhere, they, and what they hold, have an address of their own besides.
func (f *finder) names(own string, e *Entry) []string {
	rules := f.module.Root.rules
	for n := len(f.aliases); n > 0 && !leadsTo(f.aliases[n-1][0], own); n-- {
		f.aliases = f.aliases[:n-1]
	}
	for _, from := range rules.homes[e.Path] {
		if r := rules.byPath[from]; r != nil {
			f.aliases = append(f.aliases, [2]string{own, address(r, Key{Name: from, ID: e.Key.ID})})
		}
	}
	names := []string{own}
	if before, ok := strings.CutSuffix(own, "."+e.Key.Name); ok && e.Key.Space == Body {
		names = append(names, before+"."+load.EscapeBlock+"."+e.Key.Name)
	}
	for _, alias := range f.aliases {
		names = append(names, alias[1]+own[len(alias[0]):])
	}
	return names
}

// leadsTo tells whether an address is another one or starts it.
func leadsTo(start, address string) bool {
	rest, ok := strings.CutPrefix(address, start)
	return ok && (rest == "" || rest[0] == '.')
}

// leadsOn tells whether an address starts with a path, and what is left of it. A
// path without an index fits every index, which is left to be looked at.
func leadsOn(path, segments []segment) ([]segment, bool) {
	last := len(path) - 1
	for i, p := range path {
		s := segments[i]
		switch {
		case p.name != s.name, i < last && max(p.index, 0) != max(s.index, 0), p.index >= 0 && s.index >= 0 && p.index != s.index:
			return nil, false
		}
	}
	rest := segments[len(path):]
	if s := segments[last]; s.index >= 0 && path[last].index < 0 {
		rest = append([]segment{{"", s.index}}, rest...)
	}
	return rest, true
}

// written is segments as they go on from an address.
func written(segments []segment) string {
	var out strings.Builder
	for _, s := range segments {
		if s.name != "" {
			out.WriteString("." + s.name)
		}
		if s.index >= 0 {
			fmt.Fprintf(&out, "[%d]", s.index)
		}
	}
	return out.String()
}

// AllAddresses lists the addresses of everything that a module declares or that
// an override file addresses, without repetition.
func (m *Module) AllAddresses() []string {
	m.Complete()
	var list []string
	m.Walk(func(own string, e *Entry) {
		list = append(list, own)
		if e.Inner != nil {
			return
		}
		for _, it := range e.Live {
			list = append(list, insideOf(own, it)...)
		}
	})
	slices.Sort(list)
	return slices.Compact(list)
}

func insideOf(own string, it load.Item) []string {
	b, ok := it.(*load.Block)
	if !ok {
		return nil
	}
	var list []string
	for _, inner := range b.Tree().Body.Items {
		list = append(list, own+"."+inner.Called())
	}
	return list
}
