package check

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// A Key is what a finding of one run has in common with the same finding of another run,
// on the same module as it was or as it will be: the rule, the address and the text,
// whatever lines moved. Two findings of a module may have the same key, so what is known
// is counted by key. Nothing in it quotes a value of the configuration.
type Key struct {
	Rule    string `json:"rule"`
	Address string `json:"address,omitempty"`
	File    string `json:"file,omitempty"` // only where there is no address
	Text    string `json:"text"`
}

// KeyOf returns the key of a finding.
func KeyOf(f Finding) Key {
	k := Key{Rule: f.Rule.ID, Address: valid(f.Address.String()), Text: keyText(f.Plain())}
	if k.Address == "" {
		k.File = valid(f.Range.Filename)
	}
	return k
}

// keysOf lists the keys under which a finding may be known: its own, the one that it had when
// addresses had dots between all names, whatever characters those have, and those of Instead.
func keysOf(f Finding) []Key {
	list := []Key{KeyOf(f)}
	if dotted := f.Address.Dotted(); dotted != f.Address.String() {
		text := strings.ReplaceAll(f.Plain(), f.Address.String(), diag.Escape(dotted))
		list = append(list, Key{Rule: f.Rule.ID, Address: valid(dotted), Text: keyText(text)})
	}
	if f.Instead != nil {
		list = append(list, keysOf(*f.Instead)...)
	}
	return list
}

// linesOfPlaces are the line numbers in places of configuration files, as messages write
// them: FILE:LINE.
var linesOfPlaces = lazyregexp.New(`(\.(?:tf|tofu)(?:\.json)?"?):[0-9]+`)

// columnsOfPlaces are what may follow a line number in texts of the HCL parser.
var columnsOfPlaces = lazyregexp.New(`(\.(?:tf|tofu)(?:\.json)?"?):[0-9]+,[0-9]+(?:-[0-9]+(?:,[0-9]+)?)?`)

// WithoutLines is a text without the lines and columns of the places in it.
func WithoutLines(text string) string {
	return linesOfPlaces().ReplaceAllString(columnsOfPlaces().ReplaceAllString(text, "$1"), "$1")
}

// maxKeyText is how many bytes of a text a key holds. What is longer ends in its sum.
const maxKeyText = 1000

// keyText is a text without the lines of the places in it.
func keyText(text string) string {
	text = linesOfPlaces().ReplaceAllString(valid(text), "$1")
	if len(text) <= maxKeyText {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%s… %x", valid(text[:maxKeyText]), sum[:8])
}

// valid is a text that JSON can hold as it is.
func valid(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// Counts counts findings by key.
func Counts(found []Finding) map[Key]int {
	counts := map[Key]int{}
	for _, f := range found {
		counts[KeyOf(f)]++
	}
	return counts
}

// Unknown returns the findings of a list, in order, that are not among those known, of
// which there are so many of each key. It also returns which of the known ones are not in
// the list. Neither argument changes.
func Unknown(found []Finding, known map[Key]int) (unknown []Finding, gone map[Key]int) {
	gone = map[Key]int{}
	for k, n := range known {
		if n > 0 {
			gone[k] = n
		}
	}
	for _, f := range found {
		list := keysOf(f)
		i := slices.IndexFunc(list, func(k Key) bool { return gone[k] > 0 })
		if i < 0 {
			unknown = append(unknown, f)
		} else if gone[list[i]]--; gone[list[i]] == 0 {
			delete(gone, list[i])
		}
	}
	return unknown, gone
}
