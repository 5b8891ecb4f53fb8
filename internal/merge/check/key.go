package check

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/equal"
)

// A Key identifies a finding across runs, while the module is edited: rule, address and text don't depend on
// lines. Two findings of a module may have the same key, so known findings are counted by key. It quotes no
// value of the configuration.
type Key struct {
	Rule    string `json:"rule"`
	Address string `json:"address,omitempty"`
	File    string `json:"file,omitempty"` // only without an address
	Text    string `json:"text"`
}

// KeyOf returns the key of a finding.
func KeyOf(f Finding) Key {
	k := keyIn(f.Rule, f.Address.String(), KeyText(cmp.Or(f.Full, f.Plain())))
	if k.Address == "" {
		k.File = valid(f.Range.Filename)
	}
	return k
}

// keyIn returns the key of a finding about an address. Pass a text with lines through KeyText before; that
// takes too long for the former keys of very many findings.
func keyIn(r *Rule, own, text string) Key { return Key{Rule: r.ID, Address: valid(own), Text: text} }

// formsOf lists the keys under which a baseline may have recorded a finding, each as a set that must be
// complete: its own key, the former keys together, and both again with the earlier spelling of addresses
// (Address.Dotted).
func formsOf(f Finding) [][]Key {
	forms := [][]Key{{KeyOf(f)}}
	former := slices.Clone(f.Former)
	for i := range former {
		former[i].Text = KeyText(former[i].Text)
	}
	if len(former) > 0 {
		forms = append(forms, former)
	}
	dotted := f.Address.Dotted()
	if dotted == f.Address.String() {
		return forms
	}
	forms = append(forms, []Key{keyIn(f.Rule, dotted, KeyText(strings.ReplaceAll(cmp.Or(f.Full, f.Plain()), f.Address.String(), diag.Escape(dotted))))})
	if len(former) > 0 {
		former = slices.Clone(former)
		for i := range former {
			former[i].Address = valid(dotted)
		}
		forms = append(forms, former)
	}
	return forms
}

// linesOfPlaces matches line numbers in locations of configuration files, as messages write them:
// FILE:LINE, or FILE:LINE:COLUMN.
var linesOfPlaces = lazyregexp.New(`(\.(?:tf|tofu)(?:\.json)?"?):[0-9]+(?::[0-9]+)?`)

// columnsOfPlaces matches the text after a line number in messages of the HCL parser.
var columnsOfPlaces = lazyregexp.New(`(\.(?:tf|tofu)(?:\.json)?"?):[0-9]+,[0-9]+(?:-[0-9]+(?:,[0-9]+)?)?`)

// WithoutLines removes lines and columns from the locations in a text.
func WithoutLines(text string) string {
	return linesOfPlaces().ReplaceAllString(columnsOfPlaces().ReplaceAllString(text, "$1"), "$1")
}

// maxKeyText is how many bytes of a text a key holds. A longer text ends in a hash.
const maxKeyText = 1000

// KeyText returns a text without the lines in its locations. A long one is cut, and ends in a hash.
func KeyText(text string) string {
	text = linesOfPlaces().ReplaceAllString(valid(text), "$1")
	if len(text) <= maxKeyText {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%s… %x", valid(text[:maxKeyText]), sum[:8])
}

// valid returns a text that JSON can hold unchanged.
func valid(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// Counts returns how many findings have each key.
func Counts(found []Finding) map[Key]int {
	counts := map[Key]int{}
	for _, f := range found {
		counts[KeyOf(f)]++
	}
	return counts
}

// Unknown returns the findings, in order, that aren't among the known ones, which are counted by key, and the
// known ones that weren't found. A finding is known by its key, by the keys of earlier versions, or by its
// key with another remedy. Neither argument changes.
func Unknown(found []Finding, known map[Key]int) (unknown []Finding, gone map[Key]int) {
	gone = map[Key]int{}
	for k, n := range known {
		if n > 0 {
			gone[k] = n
		}
	}
	isKnown := make([]bool, len(found))
	for i, f := range found {
		isKnown[i] = take(gone, KeyOf(f))
	}
	for i, f := range found {
		for _, form := range formsOf(f)[1:] {
			if !isKnown[i] {
				isKnown[i] = takeAll(gone, form)
				continue
			}
			for _, k := range form {
				take(gone, k)
			}
		}
	}
	advised := advisedOf(gone)
	for i, f := range found {
		if !isKnown[i] && !takeAdvised(gone, advised, KeyOf(f)) {
			unknown = append(unknown, f)
		}
	}
	return unknown, gone
}

// fact returns the key with only the first sentence of its text: the others are the remedy.
func (k Key) fact() Key {
	k.Text = k.Text[:diag.EndOfSentence(k.Text)]
	return k
}

// advisedOf groups keys that differ only in the remedy, by their fact.
func advisedOf(counts map[Key]int) map[Key][]Key {
	keys := map[Key][]Key{}
	for k := range counts {
		keys[k.fact()] = append(keys[k.fact()], k)
	}
	for _, list := range keys {
		slices.SortFunc(list, func(a, b Key) int { return strings.Compare(a.Text, b.Text) })
	}
	return keys
}

// takeAdvised takes a key that differs from k only in the remedy, and reports whether there was one.
func takeAdvised(counts map[Key]int, advised map[Key][]Key, k Key) bool {
	return slices.ContainsFunc(advised[k.fact()], func(other Key) bool { return take(counts, other) })
}

// take reduces the count of a key by one, and reports whether there was any left.
func take(counts map[Key]int, k Key) bool {
	switch counts[k] {
	case 0:
		return false
	case 1:
		delete(counts, k)
	default:
		counts[k]--
	}
	return true
}

// takeAll takes one of each of the keys. If there aren't enough, it takes none and returns false.
func takeAll(counts map[Key]int, keys []Key) bool {
	for i, k := range keys {
		if take(counts, k) {
			continue
		}
		for _, taken := range keys[:i] {
			counts[taken]++
		}
		return false
	}
	return true
}

// A Fact is what two findings of the rule denied-override must have in common, apart from the
// address, to be the same: the text of the item, and the winners.
type Fact struct {
	Tokens equal.Sum // the item's tokens; of a file as a whole its bytes

	// Winners identifies the effective items of each name that the item sets: the item itself, or
	// the tokens of the winning override. WinningFiles identifies them by their files. For a primary file
	// only its win matters, not its text.
	Winners, WinningFiles equal.Sum

	// Around holds the tokens of the nested block around the item, if that block is replaced as a
	// whole, and Place is its position among its neighbours.
	Around equal.Sum
	Place  string

	// Row is the history of nested blocks whose order matters, otherwise nil.
	Row *merge.MergedItem
}

// Pairs pairs elements of two lists that have a key in common, each with at most one other, in order. It goes
// by the first kind of key, then pairs those still without a counterpart by the next kind. For each element
// of found it returns the index of its counterpart in known, or -1.
func Pairs[T any, K comparable](found, known []T, kinds ...func(T) K) []int {
	counterparts := make([]int, len(found))
	for i := range counterparts {
		counterparts[i] = -1
	}
	isTaken := make([]bool, len(known))
	for _, keyOf := range kinds {
		waiting := map[K][]int{}
		for i, x := range known {
			if !isTaken[i] {
				key := keyOf(x)
				waiting[key] = append(waiting[key], i)
			}
		}
		for i, x := range found {
			if counterparts[i] >= 0 || len(waiting) == 0 {
				continue
			}
			key := keyOf(x)
			if list := waiting[key]; len(list) > 0 {
				counterparts[i], waiting[key] = list[0], list[1:]
				isTaken[list[0]] = true
			}
		}
	}
	return counterparts
}
