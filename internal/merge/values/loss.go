package values

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/constant"
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Loss describes the parts of earlier values of an argument that the effective one lacks.
type Loss struct {
	Of       *source.Attr // one of the earlier arguments
	Keys     []*Path      // of its objects
	Elements []Value      // of its lists
	Fewer    int          // how many elements fewer the effective value has; negative if it has more
}

// KeyNames are the keys with dots between the steps: deep.a.
func (l *Loss) KeyNames() []string {
	var names []string
	for _, k := range l.Keys {
		names = append(names, k.Address().String())
	}
	return names
}

// Dropped names the known parts of some earlier items that the items which replaced them lack: keys
// of objects, or arguments and blocks in nested blocks.
func Dropped(m *load.Module, effective, earlier []source.Item) []string {
	var names []string
	if len(effective) == 0 {
		return nil
	}
	if a, isAttr := effective[0].(*source.Attr); isAttr {
		for _, lost := range LostBy(m, a, earlier) {
			names = append(names, lost.KeyNames()...)
		}
		return names
	}
	for _, p := range Lacking(m, effective, earlier) {
		names = append(names, p.String())
	}
	return names
}

// LostBy lists the parts of each of some earlier values that the effective value of an argument,
// which replaced them as a whole, lacks; a part of several of them is listed for the latest. If one
// of the two isn't an object or list, or the keys of the effective one are computed, nothing is
// certainly lost; of an earlier one, the known keys are used.
func LostBy(m *load.Module, effective *source.Attr, earlier []source.Item) []Loss {
	if len(earlier) == 0 || !mayHaveParts(effective) {
		return nil
	}
	is := wholeNode(effective, Full)
	if isVersion(effective) {
		is.Form, is.Members = Object, []Member{{Key{Name: "version"}, &Node{}}}
	}
	if is.Form == Whole && is.Sum != null {
		return nil
	}
	var list []Loss
	l := losing{is: is, keys: keyTables{}, known: map[string]bool{}}
	for _, it := range slices.Backward(earlier) {
		a, ok := it.(*source.Attr)
		if !ok {
			continue
		}
		lost := Loss{Of: a}
		if was := knownNode(m, a, Full); was != nil {
			l.compare(&lost, was.losable(a))
		}
		if len(lost.Keys)+len(lost.Elements) > 0 {
			list = append(list, lost)
		}
	}
	slices.Reverse(list)
	return list
}

// mayHaveParts reports whether an argument's value may be an object, a list, or made of these by a
// function or a local value; null has none. JSON that native syntax can't express has no parts.
func mayHaveParts(a *source.Attr) bool {
	text := a.File.Text(a.Value())
	return mayBeWrapped(text) || len(text) > 0 && strings.IndexByte("{[(jlmnty", text[0]) >= 0 || isVersion(a)
}

// mayBeWrapped reports whether a value may be one sequence in quotes, which stands for its
// contents.
func mayBeWrapped(text []byte) bool {
	inside, ok := bytes.CutPrefix(text, []byte(`"${`))
	if !ok {
		return false
	}
	n, isSure := outline.Expression(inside)
	return !isSure || len(bytes.Trim(inside[n:], " \t\r\n~}\"")) == 0
}

// isVersion reports whether an argument is an entry of required_providers that is a version
// constraint alone, which is short for an object.
func isVersion(a *source.Attr) bool {
	if !load.IsRequirement(a) {
		return false
	}
	_, isText := constant.String(a)
	return isText
}

// losable is the earlier value of an argument without the parts that are effective even if nobody
// repeats them: the source of a provider that follows from its name.
func (n *Node) losable(a *source.Attr) *Node {
	if !load.IsRequirement(a) || !load.HasDefaultSource(a) {
		return n
	}
	losable := *n
	losable.Members = slices.DeleteFunc(slices.Clone(n.Members), func(m Member) bool { return m.Name == "source" })
	return &losable
}

// A losing finds the parts of several earlier values that a value lacks, once each.
type losing struct {
	is       *Node
	keys     keyTables
	elements map[Sum]bool // of the value, computed on demand
	known    map[string]bool
}

func (l *losing) compare(lost *Loss, was *Node) {
	if was.Form == List && l.is.Form == List && was.Sum != l.is.Sum {
		l.compareElements(lost, was)
	}
	l.keys.lacking(nil, []*Node{was}, []*Node{l.is}, func(at *Path) {
		if name := at.Address().String(); !l.known[name] {
			l.known[name] = true
			lost.Keys = append(lost.Keys, at)
		}
	})
}

// compareElements adds the elements that the value does not have, wherever they are in it.
func (l *losing) compareElements(lost *Loss, was *Node) {
	lost.Fewer = len(was.Elements) - len(l.is.Elements)
	if l.elements == nil {
		l.elements = map[Sum]bool{}
		for _, n := range l.is.Elements {
			l.elements[n.Sum] = true
		}
	}
	for _, n := range was.Elements {
		if name := string(n.Sum[:]); !l.elements[n.Sum] && !l.known[name] {
			l.known[name] = true
			lost.Elements = append(lost.Elements, n.Value)
		}
	}
}
