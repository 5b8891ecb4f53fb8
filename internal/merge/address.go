package merge

import (
	"strings"

	"github.com/tofumerge/tofumerge/internal/load"
)

// Address is how people name a top-level entry: aws_instance.web, var.region,
// provider.aws.west, terraform.
func (e *Entry) Address() string { return address(e.Rule, e.Key) }

// address names what a rule's items of a key declare. Blocks of a type that the
// language does not know go by their type and labels.
func address(r *Rule, k Key) string {
	parts := append([]string{}, r.Prefix...)
	switch {
	case r.Path == "*":
		parts = append(parts, k.Name)
	case r.Match == Never || k.ID != "":
	case len(parts) == 0:
		parts = append(parts, k.Name)
	case r.Path != k.Name:
		parts = append(parts, k.Name) // a local value's name
	}
	if k.ID != "" && r.Match != Never {
		parts = append(parts, k.ID)
	}
	return strings.Join(parts, ".")
}

// Addresses lists how people may name a top-level block: the address of what
// it declares, for a block that holds declarations those of all of them.
func (m *Module) Addresses(b *load.Block) []string {
	e := m.Root.Owner(b)
	if e == nil {
		return nil
	}
	list := []string{e.Address()}
	if b.Body == nil {
		b = b.Tree()
	}
	for _, it := range b.Body.Items {
		list = append(list, m.inner(e, it)...)
	}
	return list
}

func (m *Module) inner(e *Entry, it load.Item) []string {
	name := it.Called()
	if r := ruleOf(join(e.Path, "*")); r != nil && len(r.Prefix) > 0 {
		return []string{address(r, Key{Name: name})}
	}
	list := []string{e.Address() + "." + name}
	if b, ok := it.(*load.Block); ok {
		if len(b.Labels) > 0 && b.Type == name {
			list = append(list, e.Address()+"."+name+"."+strings.Join(b.Labels, "."))
		}
		for _, inner := range b.Body.Items {
			list = append(list, list[0]+"."+inner.Called())
		}
	}
	return list
}

func ruleOf(path string) *Rule {
	for i := range Rules {
		if Rules[i].Path == path {
			return &Rules[i]
		}
	}
	return nil
}
