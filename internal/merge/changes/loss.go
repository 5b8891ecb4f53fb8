package changes

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

// LostBy lists the parts of each of some earlier values that the effective value of an argument,
// which replaced them as a whole, lacks; a part of several of them is listed for the latest. If one
// of the two isn't an object or list, or the keys of the effective one are computed, nothing is
// certainly lost; of an earlier one, the known keys are used.
func LostBy(m *load.Module, effective *source.Attr, earlier []source.Item) []Loss {
	if len(earlier) == 0 || !mayHaveParts(effective) {
		return nil
	}
	is := wholeNode(effective, pathBudget{maxSteps, maxNames})
	if isVersion(effective) {
		is.form, is.members = object, []member{{key{name: "version"}, &node{}}}
	}
	if is.form == whole && is.sum != null {
		return nil
	}
	var list []Loss
	known := map[string]bool{}
	for _, it := range slices.Backward(earlier) {
		a, ok := it.(*source.Attr)
		if !ok {
			continue
		}
		lost := Loss{Of: a}
		if was := knownNode(m, a, pathBudget{maxSteps, maxNames}); was != nil {
			lost.add(was.losable(a), is, known)
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
func (n *node) losable(a *source.Attr) *node {
	if !load.IsRequirement(a) || !load.HasDefaultSource(a) {
		return n
	}
	losable := *n
	losable.members = slices.DeleteFunc(slices.Clone(n.members), func(m member) bool { return m.name == "source" })
	return &losable
}

// add adds the parts of an earlier value that a value lacks, once each.
func (l *Loss) add(was, is *node, known map[string]bool) {
	if was.form == list && is.form == list && was.sum != is.sum {
		l.addElements(was, is, known)
	}
	lackingKeys(nil, []*node{was}, []*node{is}, func(at *Path) {
		if name := at.Address().String(); !known[name] {
			known[name] = true
			l.Keys = append(l.Keys, at)
		}
	})
}

// addElements adds the elements that a list does not have, wherever they are in it.
func (l *Loss) addElements(was, is *node, known map[string]bool) {
	l.Fewer = len(was.elements) - len(is.elements)
	has := map[sum]bool{}
	for _, n := range is.elements {
		has[n.sum] = true
	}
	for _, n := range was.elements {
		if name := string(n.sum[:]); !has[n.sum] && !known[name] {
			known[name] = true
			l.Elements = append(l.Elements, n.Value)
		}
	}
}
