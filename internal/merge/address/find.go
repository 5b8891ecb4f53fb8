package address

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge"
)

// Walk visits the items that overrides addressed, and those beside which they stand,
// each with its address: in load order, those that hold others before what they hold.
func Walk(m *merge.Module, visit func(address string, e *merge.MergedItem)) {
	w := walker{m, visit, func(c *merge.MergedBody) []*merge.MergedItem { return c.Items }}
	w.walk(m.Root, m.Root.Items, nil, "")
}

// WalkAll visits every item so.
func WalkAll(m *merge.Module, visit func(address string, e *merge.MergedItem)) {
	walker{m, visit, (*merge.MergedBody).All}.walk(m.Root, m.All(), nil, "")
}

// WalkIn visits every item that one of an address holds.
func WalkIn(m *merge.Module, address string, e *merge.MergedItem, visit func(address string, e *merge.MergedItem)) {
	if e.Inner != nil {
		walker{m, visit, (*merge.MergedBody).All}.walk(e.Inner, e.Inner.All(), e, address)
	}
}

// A walker visits items in the order in which the files were loaded.
type walker struct {
	module *merge.Module
	visit  func(address string, e *merge.MergedItem)
	items  func(*merge.MergedBody) []*merge.MergedItem
}

func (w walker) walk(c *merge.MergedBody, items []*merge.MergedItem, of *merge.MergedItem, address string) {
	entries := w.module.InLoadOrder(items)
	same := map[string]int{}
	for _, e := range entries {
		if e.Rule.Match == merge.ByPosition {
			same[e.Key.Name]++
		}
	}
	seen := map[string]int{}
	for _, e := range entries {
		own := addressIn(c, of, address, e)
		if same[e.Key.Name] > 1 {
			own += fmt.Sprintf("[%d]", seen[e.Key.Name])
			seen[e.Key.Name]++
		}
		if e.Rule.Do != merge.Flatten { // its items have addresses without it
			w.visit(own, e)
		}
		if e.Inner != nil {
			w.walk(e.Inner, w.items(e.Inner), e, own)
		}
	}
}

// addressIn is the address of a merged item of a body inside a block that has one itself.
func addressIn(c *merge.MergedBody, of *merge.MergedItem, address string, e *merge.MergedItem) string {
	if of == nil || namesItself(e.Rule) {
		return e.Address()
	}
	return address + "." + strings.Join(segmentsTo(c, e), ".")
}

// namesItself tells rules whose items have addresses of their own, whatever
// block they stand in, as local values have.
func namesItself(r *merge.Rule) bool { return path.Base(r.Path) == "*" && len(r.Prefix) > 0 }

// segmentsTo are what leads to a merged item from the body that holds it. The escaping
// block is among them only where the name alone means something else.
func segmentsTo(c *merge.MergedBody, e *merge.MergedItem) []string {
	var list []string
	if c.NeedsEscape(e) {
		list = append(list, language.EscapeBlock)
	}
	list = append(list, e.Key.Name)
	if e.Key.ID != "" && e.Rule.Match != merge.ByPosition {
		list = append(list, e.Key.ID)
	}
	return list
}

// longForms are other ways to start an address: the block type, where addresses
// start with something else, or with nothing.
var longForms = sync.OnceValue(func() map[string]string {
	forms := map[string]string{}
	for _, r := range merge.Rules {
		around, _ := path.Split(r.Path)
		switch isTop := around == ""; {
		case isTop && r.Match == merge.ByLabels && len(r.Prefix) == 0:
			forms[r.Path] = ""
		case isTop && len(r.Prefix) > 0 && r.Prefix[0] != r.Path:
			forms[r.Path] = r.Prefix[0]
		case !isTop && namesItself(&r):
			forms[strings.TrimSuffix(around, "/")] = r.Prefix[0]
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
func Find(m *merge.Module, address string) ([]Target, error) {
	segments, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	f := finder{module: m}
	WalkAll(m, func(own string, e *merge.MergedItem) { f.try(own, e, segments) })
	return f.found, nil
}

// Top returns everything that the top level declares, in load order.
func Top(m *merge.Module) []Target {
	var all []Target
	WalkAll(m, func(own string, e *merge.MergedItem) {
		if isTop(e) {
			all = append(all, Target{Address: own, Of: own, Item: e})
		}
	})
	return all
}

// A finder looks for the longest addresses of merged items that an address starts with.
type finder struct {
	module *merge.Module
	found  []Target
	depth  int // segments of the entries found
	// aliases are addresses around the one at hand, and others that stand for them.
	aliases [][2]string
}

func (f *finder) try(own string, e *merge.MergedItem, segments []segment) {
	for _, name := range f.names(own, e) {
		way, err := parseAddress(name)
		if err != nil || len(way) > len(segments) || len(way) < f.depth {
			continue
		}
		rest, ok := leadsOn(way, segments)
		if e.Inner != nil && len(rest) == 1 && rest[0] == (segment{"", 0}) {
			rest = nil // there is one at most
		}
		t := Target{Address: own + written(rest), Item: e, Of: own, rest: rest}
		if !ok || len(rest) > 0 && (e.Inner != nil || !t.exists()) {
			continue
		}
		switch {
		case len(way) > f.depth:
			f.found, f.depth = nil, len(way)
		case isTop(e) && !isTop(f.found[0].Item):
			f.found = nil // an alias goes before an argument of its name
		case !isTop(e) && isTop(f.found[0].Item):
			return
		}
		f.found = append(f.found, t)
		return
	}
}

func isTop(e *merge.MergedItem) bool { return !strings.Contains(e.Path, "/") }

// names are the ways to address a merged item. Where a rule's items may be addressed
// from elsewhere, they, and what they hold, have an address of their own besides.
func (f *finder) names(own string, e *merge.MergedItem) []string {
	for n := len(f.aliases); n > 0 && !leadsTo(f.aliases[n-1][0], own); n-- {
		f.aliases = f.aliases[:n-1]
	}
	for _, alias := range f.module.Aliases(e) {
		f.aliases = append(f.aliases, [2]string{own, alias})
	}
	names := []string{own}
	if before, ok := strings.CutSuffix(own, "."+e.Key.Name); ok && e.Key.Space == merge.Body {
		names = append(names, before+"."+language.EscapeBlock+"."+e.Key.Name)
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

// leadsOn tells whether an address starts with a way, and what is left of it. A
// way without an index fits every index, which is left to be looked at.
func leadsOn(way, segments []segment) ([]segment, bool) {
	last := len(way) - 1
	for i, p := range way {
		s := segments[i]
		switch {
		case p.name != s.name, i < last && max(p.index, 0) != max(s.index, 0), p.index >= 0 && s.index >= 0 && p.index != s.index:
			return nil, false
		}
	}
	rest := segments[len(way):]
	if s := segments[last]; s.index >= 0 && way[last].index < 0 {
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

// All lists the addresses of everything that a module declares or that
// an override file addresses, without repetition.
func All(m *merge.Module) []string {
	var list []string
	WalkAll(m, func(own string, e *merge.MergedItem) {
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

func insideOf(own string, it source.Item) []string {
	b, ok := it.(*source.Block)
	if !ok {
		return nil
	}
	var list []string
	for _, inner := range b.Tree().Body.Items {
		list = append(list, own+"."+inner.Called())
	}
	return list
}
