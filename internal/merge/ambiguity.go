package merge

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// An ambiguityKind is a reason why only the provider knows whether a name is an argument.
type ambiguityKind int

const (
	blocksOverArgument ambiguityKind = iota // blocks over an argument, which is printed
	argumentOverBlocks                      // an argument over blocks, which is printed
	voidAsArgument                          // a JSON null or [] over possible blocks, printed as an argument

	ambiguityKinds
)

// An ambiguityKey is what names have in common that one warning is about: the block of the override.
type ambiguityKey struct {
	block  *source.Block
	isVoid bool
}

// An ambiguity is a warning that names of a block are arguments or nested blocks.
type ambiguity struct {
	warning *hcl.Diagnostic
	names   [ambiguityKinds]ambiguousNames
	also    []hcl.Range
}

// An ambiguousNames is names of one kind, and where the earlier layer has them.
type ambiguousNames struct {
	names, places []string // the first ones
	more          int
}

// maxAmbiguous is how many names of a kind a warning has.
const maxAmbiguous = 5

func (d *ambiguousNames) add(name, place string) {
	if len(d.names) == maxAmbiguous {
		d.more++
		return
	}
	d.names, d.places = append(d.names, name), append(d.places, place)
}

// ambiguities are the warnings of a merge.
type ambiguities map[ambiguityKey]*ambiguity

// add warns that an item and the replaced one may be an argument or nested blocks, together with
// the other such items of its block. It returns nil if there is a warning about that block.
func (a ambiguities) add(k ambiguityKind, e *MergedItem, it source.Item) (warning *hcl.Diagnostic) {
	key := ambiguityKey{Holder(it), k == voidAsArgument}
	d := a[key]
	if d == nil {
		note := "written the other way here"
		if k == voidAsArgument {
			note = "earlier value"
		}
		d = &ambiguity{warning: withPlace(diag.Warning(it.Header(), "Argument or nested block", ""), note, e.Live[0])}
		a[key] = d
		warning = d.warning
	} else {
		d.also = append(d.also, it.Header())
		diag.WithAlso(d.also, d.warning)
	}
	d.names[k].add(diag.Escape(e.Key.Name), placeOf(e.Live[0]))
	d.warning.Detail = d.text()
	return warning
}

func (d *ambiguity) text() string {
	blocks, arguments := d.names[blocksOverArgument], d.names[argumentOverBlocks]
	switch void := d.names[voidAsArgument]; {
	case len(void.names) > 0:
		return void.voidText()
	case len(d.also) > 0:
		return d.severalText(blocks, arguments)
	case len(blocks.names) > 0:
		return fmt.Sprintf("%s is a nested block here and an argument at %s. Only the provider's schema decides which one is in effect; tofumerge takes the argument, not these blocks. Write both the same way.", blocks.names[0], blocks.places[0])
	}
	return fmt.Sprintf("%s is an argument here and a nested block at %s. Only the provider's schema decides which one is in effect; tofumerge takes the argument, not the blocks. Write both the same way.", arguments.names[0], arguments.places[0])
}

// severalText is about names that are written in two ways.
func (d *ambiguity) severalText(blocks, arguments ambiguousNames) string {
	var parts []string
	if len(blocks.names) > 0 {
		parts = append(parts, blocks.are("a nested block", "nested blocks")+" here and "+blocks.at("an argument", "arguments"))
	}
	if len(arguments.names) > 0 {
		parts = append(parts, arguments.are("an argument", "arguments")+" here and "+arguments.at("a nested block", "nested blocks"))
	}
	return strings.Join(parts, "; ") + ". Only the provider's schema decides which are in effect; tofumerge takes the arguments, not the blocks. Write each the same way in all files."
}

// voidText is about null and [].
func (d ambiguousNames) voidText() string {
	const remedy = "To decide it, use --provider-schema FILE."
	if len(d.names) == 1 {
		return fmt.Sprintf("If %s is an argument, this value replaces the one at %s. If it is a nested block, this value means no block, and the earlier ones stay. tofumerge takes it for an argument. %s", d.names[0], d.places[0], remedy)
	}
	return fmt.Sprintf("If %s are arguments, these values replace those at %s. If they are nested blocks, these values mean no block, and the earlier ones stay. tofumerge takes them for arguments. %s", d.list(d.names), d.list(d.places), remedy)
}

// list joins names or locations.
func (d ambiguousNames) list(words []string) string {
	if d.more > 0 {
		return strings.Join(words, ", ") + fmt.Sprintf(" and %d more", d.more)
	}
	if n := len(words) - 1; n > 0 {
		return strings.Join(words[:n], ", ") + " and " + words[n]
	}
	return words[0]
}

// are words the roles of the names.
func (d ambiguousNames) are(one, several string) string {
	if len(d.names) == 1 {
		return d.names[0] + " is " + one
	}
	return d.list(d.names) + " are " + several
}

// at words their roles in the earlier layer.
func (d ambiguousNames) at(one, several string) string {
	if len(d.names) == 1 {
		return one + " at " + d.places[0]
	}
	return several + " at " + d.list(d.places)
}
