// Package providerschema reads what providers publish of their blocks: which names are arguments and
// which are nested blocks.
//
// In goes the output of "tofu providers schema -json". Out comes the use of a name in the body of a
// block. Providers that contradict each other decide nothing. A file of another form is refused with
// the command that makes one.
package providerschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/jsontree"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A Schema decides which names are arguments and which are nested blocks. It is read from
// the output of "tofu providers schema -json" or "terraform providers schema -json"
// (https://opentofu.org/docs/cli/commands/providers/schema/). A provider configuration is found by
// the type of its provider, which the local name may differ from.
type Schema struct {
	bodies map[string][]*block // by the path of the body, one for each provider that has it
}

type file struct {
	FormatVersion string               `json:"format_version"`
	Providers     map[string]*provider `json:"provider_schemas"`
}

type provider struct {
	Provider  *entry            `json:"provider"`
	Resources map[string]*entry `json:"resource_schemas"`
	Data      map[string]*entry `json:"data_source_schemas"`
	Ephemeral map[string]*entry `json:"ephemeral_resource_schemas"`
}

type entry struct {
	Block *block `json:"block"`
}

type block struct {
	Attributes map[string]struct {
		Type json.RawMessage `json:"type"`
	} `json:"attributes"`
	Blocks map[string]struct {
		Nesting string `json:"nesting_mode"`
		Block   *block `json:"block"`
	} `json:"block_types"`
}

// Read reads the output of "tofu providers schema -json" from a file of at most limit bytes. Its errors tell users
// how to make such a file.
func Read(path string, limit int64) (*Schema, error) {
	src, err := input.Read(path, limit)
	if err != nil {
		return nil, fmt.Errorf("can't read the provider schema %s: %w", diag.Escape(path), input.StripPath(err))
	}
	var all file
	if err := json.Unmarshal(src, &all); err != nil {
		var form *json.UnmarshalTypeError
		if errors.As(err, &form) {
			err = errors.New("its structure is different")
		}
		return nil, fmt.Errorf("%s is not a provider schema: %w; make one with: tofu providers schema -json > FILE",
			diag.Escape(path), err)
	}
	if major, _, _ := strings.Cut(all.FormatVersion, "."); major != "0" && major != "1" {
		return nil, fmt.Errorf("%s is not a provider schema that tofumerge can read: its format_version is %.20q, "+
			"not 1.x; make one with: tofu providers schema -json > FILE", diag.Escape(path), all.FormatVersion)
	}
	s := &Schema{bodies: map[string][]*block{}}
	for address, p := range all.Providers {
		s.addProvider(address[strings.LastIndexByte(address, '/')+1:], p)
	}
	return s, nil
}

// addProvider adds the bodies that a provider describes: its configuration and its resources. name is the last part
// of the provider's address, such as aws. p may be nil.
func (s *Schema) addProvider(name string, p *provider) {
	if p == nil {
		return
	}
	s.addBody("provider/"+name, p.Provider)
	for kind, entries := range map[string]map[string]*entry{
		"resource":  p.Resources,
		"data":      p.Data,
		"ephemeral": p.Ephemeral,
	} {
		for typ, e := range entries {
			s.addBody(kind+"/"+typ, e)
		}
	}
}

// addBody adds the body of a type of block, such as resource/aws_instance, if the provider describes it.
func (s *Schema) addBody(path string, e *entry) {
	if e != nil && e.Block != nil {
		s.bodies[path] = append(s.bodies[path], e.Block)
	}
}

// A Use is the role of a property for the provider.
type Use struct {
	Block    bool
	Labels   int  // of the block
	Disputed bool // the schemas of several providers contradict each other
}

// Lookup tells whether a property of a JSON body is an argument or a nested block. path is the body's, such as
// resource/aws_instance, v the property's value. sure is false if no schema has the property, or if those of several
// providers contradict each other (use.Disputed). s may be nil.
func (s *Schema) Lookup(path, name string, v jsontree.Value) (use Use, sure bool) {
	if s == nil {
		return Use{}, false
	}
	use, sure, isDisputed := commonResult(s.bodiesAt(path), func(b *block) (Use, bool) { return b.useOf(name, v) })
	use.Disputed = isDisputed
	return use, sure
}

// commonResult calls look for each body and returns the result if all bodies that have one agree. If two differ,
// isFound is false and isDisputed true. Several bodies exist if providers describe the same type.
func commonResult[T comparable](bodies []*block, look func(*block) (T, bool)) (found T, isFound, isDisputed bool) {
	for _, b := range bodies {
		one, ok := look(b)
		if ok && isFound && one != found {
			return *new(T), false, true
		}
		if ok {
			found, isFound = one, true
		}
	}
	return found, isFound, false
}

// A Meaning is the role of a name in a body for the provider.
type Meaning int

// The meanings.
const (
	Unknown  Meaning = iota // the schema doesn't have it, or several contradict each other
	Argument                // also one that may be written as blocks: the argument wins over those
	Nested
)

// Meaning returns whether the providers describe an item's name as an argument or as a nested block. It is Unknown if
// they don't describe it, or if they contradict each other.
func (s *Schema) Meaning(it source.Item) Meaning {
	if s == nil || it.Within() == nil {
		return Unknown
	}
	found, _, _ := commonResult(s.bodiesAt(PathOf(it.Within())), func(b *block) (Meaning, bool) {
		if _, isBlock := b.Blocks[it.Called()]; isBlock {
			return Nested, true
		}
		_, isAttr := b.Attributes[it.Called()]
		return Argument, isAttr
	})
	return found
}

// bodiesAt returns the bodies with a path such as resource/aws_instance/ebs_block_device, one for each provider that
// has it.
func (s *Schema) bodiesAt(path string) []*block {
	parts := strings.Split(path, "/")
	if len(parts) < 2 {
		return nil
	}
	bodies := s.bodies[parts[0]+"/"+parts[1]]
	for _, name := range parts[2:] {
		var inner []*block
		for _, b := range bodies {
			if nested, ok := b.Blocks[name]; ok && nested.Block != nil {
				inner = append(inner, nested.Block)
			}
		}
		bodies = inner
	}
	return bodies
}

// useOf tells whether a property with a name and a value is an argument or a nested block of the body; ok is false if
// the body doesn't have it. The value matters for arguments that may be written as blocks.
func (b *block) useOf(name string, v jsontree.Value) (Use, bool) {
	if nested, ok := b.Blocks[name]; ok {
		found := Use{Block: true}
		if nested.Nesting == "map" {
			found.Labels = 1
		}
		return found, true
	}
	attr, ok := b.Attributes[name]
	if !ok {
		return Use{}, false
	}
	// An argument of this type may be written as blocks. In JSON, its value is
	// a list, so a single object must be meant as a block.
	return Use{Block: v.Kind() == '{' && isObjectList(attr.Type)}, true
}

// isObjectList reports whether a type is a list or set of objects, in JSON ["list", ["object", ...]].
func isObjectList(typ json.RawMessage) bool {
	var outer []json.RawMessage
	if json.Unmarshal(typ, &outer) != nil || len(outer) != 2 {
		return false
	}
	var elem []json.RawMessage
	kind := string(outer[0])
	return (kind == `"list"` || kind == `"set"`) && json.Unmarshal(outer[1], &elem) == nil &&
		len(elem) > 0 && string(elem[0]) == `"object"`
}

// PathOf returns the path of a block's body, such as resource/aws_instance/ebs_block_device. A block of type "_" only
// escapes names, so it has the path of the block around it.
func PathOf(b *source.Block) string {
	switch {
	case b.Within() == nil:
		return TopPath(b)
	case b.Type == source.EscapeBlock:
		return PathOf(b.Within())
	}
	return PathOf(b.Within()) + "/" + b.Called()
}

// TopPath returns the path of a top-level block's body, its type and first label: resource/aws_instance.
func TopPath(b *source.Block) string {
	if len(b.Labels) == 0 {
		return b.Type
	}
	return b.Type + "/" + b.Labels[0]
}
