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

// keyIn returns the key of a finding about an address, own. If text may contain line numbers, pass it through
// KeyText. Former keys skip that, since formsOf does it when they are compared.
func keyIn(r *Rule, own, text string) Key { return Key{Rule: r.ID, Address: valid(own), Text: text} }

// formsOf lists the forms in which a baseline may have recorded a finding. A form is a set of keys that must
// all be there, because earlier versions made several findings of what is one now. The first form is the finding's
// present key, the next its former keys. Then come both with the earlier spelling of addresses (Address.Dotted),
// which messages may also contain; the texts of former keys stay as they are.
func formsOf(f Finding) [][]Key {
	forms := [][]Key{{KeyOf(f)}}
	former := slices.Clone(f.Former)
	for i := range former {
		former[i].Text = KeyText(former[i].Text)
	}
	if len(former) > 0 {
		forms = append(forms, former)
	}
	// The same forms again with the earlier spelling of the address, if that differs.
	dotted := f.Address.Dotted()
	if dotted == f.Address.String() {
		return forms
	}
	text := cmp.Or(f.Full, f.Plain()) // as in KeyOf: Full has all names, where the message only counts some
	text = strings.ReplaceAll(text, f.Address.String(), diag.Escape(dotted))
	forms = append(forms, []Key{keyIn(f.Rule, dotted, KeyText(text))})
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

// KeyText returns a text without the line numbers in its locations. A text over maxKeyText is cut, and ends in
// a hash of the whole.
func KeyText(text string) string {
	text = linesOfPlaces().ReplaceAllString(valid(text), "$1")
	if len(text) <= maxKeyText {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%s… %x", valid(text[:maxKeyText]), sum[:8])
}

// valid replaces bytes that aren't UTF-8, which JSON would change: a key must survive a baseline file.
func valid(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// Counts returns how many of the findings have each key.
func Counts(found []Finding) map[Key]int {
	counts := map[Key]int{}
	for _, f := range found {
		counts[KeyOf(f)]++
	}
	return counts
}

// Unknown compares findings with the known ones, which are counted by key. unknown are the findings without a known
// counterpart, in order; gone are the known ones without a finding. Each known one is the counterpart of one
// finding: one with the same key, with a key of earlier versions (formsOf), or with a key that differs only in the
// remedy, such as "Repeat it here to keep it." Neither argument changes.
func Unknown(found []Finding, known map[Key]int) (unknown []Finding, gone map[Key]int) {
	gone = map[Key]int{} // starts with all known ones; each match takes one away
	for k, n := range known {
		if n > 0 {
			gone[k] = n
		}
	}
	// Exact matches go first, so that no looser one uses up their counts.
	isKnown := make([]bool, len(found))
	for i, f := range found {
		isKnown[i] = take(gone, KeyOf(f))
	}
	for i, f := range found {
		isKnown[i] = takeForms(gone, f, isKnown[i])
	}
	// Last come keys that differ only in the remedy.
	byFact := keysByFact(gone)
	for i, f := range found {
		if !isKnown[i] && !takeSameFact(gone, byFact, KeyOf(f)) {
			unknown = append(unknown, f)
		}
	}
	return unknown, gone
}

// takeForms takes the keys that earlier versions made of a finding out of counts. isKnown tells whether the finding
// is known already; the result, whether it is known now, since counts had all keys of a form. Once it is known, its
// keys in further forms aren't gone either, so those are taken as far as they are there.
func takeForms(counts map[Key]int, f Finding, isKnown bool) bool {
	for _, form := range formsOf(f)[1:] { // the first form is the present key
		if !isKnown {
			isKnown = takeAll(counts, form)
			continue
		}
		for _, k := range form {
			take(counts, k)
		}
	}
	return isKnown
}

// fact returns the key with only the first sentence of its text, which states the problem. The others are the
// remedy, whose words differ between versions.
func (k Key) fact() Key {
	k.Text = k.Text[:diag.EndOfSentence(k.Text)]
	return k
}

// keysByFact groups the keys in counts by their fact, each group sorted by text.
func keysByFact(counts map[Key]int) map[Key][]Key {
	keys := map[Key][]Key{}
	for k := range counts {
		keys[k.fact()] = append(keys[k.fact()], k)
	}
	for _, list := range keys {
		slices.SortFunc(list, func(a, b Key) int { return strings.Compare(a.Text, b.Text) })
	}
	return keys
}

// takeSameFact takes a key that differs from k only in the remedy out of counts, and reports whether there was
// one. byFact is from keysByFact.
func takeSameFact(counts map[Key]int, byFact map[Key][]Key, k Key) bool {
	return slices.ContainsFunc(byFact[k.fact()], func(other Key) bool { return take(counts, other) })
}

// take reduces the count of a key by one. It returns false if none is left.
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

// Pairs matches the elements of two lists that have a key in common, each with at most one other, in order.
// All are matched by the first kind of key before those left over are matched by the next kind. For each
// element of found it returns the index of its counterpart in known, or -1.
func Pairs[T any, K comparable](found, known []T, kinds ...func(T) K) []int {
	counterparts := make([]int, len(found))
	for i := range counterparts {
		counterparts[i] = -1
	}
	isTaken := make([]bool, len(known))
	for _, keyOf := range kinds {
		waiting := map[K][]int{} // indexes of the known elements without a counterpart so far
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
