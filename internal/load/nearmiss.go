package load

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// nearMiss returns the name of an override file that was probably meant by a name such
// as main-override.tf, which is not one of an override file; "" for other names.
func nearMiss(name string) string {
	lower := lowered(name)
	if inner, ok := strings.CutSuffix(lower, ".override"); ok {
		if stem, suffix := splitExtension(inner); suffix != "" {
			return name[:len(stem)] + "_override" + suffix
		}
		return ""
	}
	stem, suffix := splitExtension(lower)
	if suffix == "" {
		stem, suffix = strings.TrimSuffix(lower, ".json"), ".tf.json"
		if stem == lower || !isOverrideStem(stem) {
			return ""
		}
		return name[:len(stem)] + suffix
	}
	given := name[:len(stem)]
	switch {
	case isOverrideStem(stem): // in other letters, or with an extension in others
		return strings.TrimSuffix(given, given[len(given)-len("override"):]) + "override" + suffix
	case stem == "overrides" || strings.HasSuffix(stem, "_overrides"):
		return given[:len(given)-len("overrides")] + "override" + suffix
	case strings.HasSuffix(stem, "override"):
		return strings.TrimRight(given[:len(given)-len("override")], "-. ") + "_override" + suffix
	case strings.HasPrefix(stem, "override.t") && isExtension(stem[len("override"):]):
		return "override" + suffix
	case strings.HasPrefix(stem, "override_") || strings.HasPrefix(stem, "override-") ||
		strings.HasPrefix(stem, "override."):
		return given[len("override_"):] + "_override" + suffix
	}
	if better := wellSpelt(given, stem); better != "" {
		return better + suffix
	}
	return ""
}

// separators are what words of a name are joined by.
const separators = "_-. "

// wellSpelt corrects a stem whose first or last word is a misspelt "override", and returns "" if
// neither is. lower is the stem in lower case.
func wellSpelt(given, lower string) string {
	last := strings.LastIndexAny(lower, separators) + 1
	word := strings.TrimRight(lower[last:], "0123456789")
	digits := lower[last+len(word):]
	front := strings.TrimRight(given[:last], separators)
	first, behind := lower, ""
	if i := strings.IndexAny(lower, separators); i >= 0 {
		first, behind = lower[:i], lower[i+1:]
	}
	switch {
	case word == "override":
		return joined(front, digits)
	case word == "ride" && (front == "over" || isSeparated(strings.ToLower(front), "over")):
		return joined(strings.TrimRight(front[:len(front)-len("over")], separators), digits)
	case isMisspelt(word):
		return joined(front, digits)
	case isMisspelt(first):
		return joined(given[len(given)-len(behind):])
	}
	return ""
}

// joined is the stem of an override file that begins with these words.
func joined(words ...string) string {
	words = slices.DeleteFunc(append(words, "override"), func(w string) bool { return w == "" })
	return strings.Join(words, "_")
}

// isSeparated reports whether a name ends in a word, behind a separator.
func isSeparated(name, word string) bool {
	front, ok := strings.CutSuffix(name, word)
	return ok && front != "" && strings.ContainsRune(separators, rune(front[len(front)-1]))
}

// isMisspelt reports whether a word differs from "override" by one or two letters and isn't itself
// a word.
func isMisspelt(word string) bool {
	return spelling.IsNear(word, "override", 2) && !slices.Contains(likeOverride, word)
}

// likeOverride are the English words that one or two letters turn into "override".
var likeOverride = []string{
	"overbid", "overbids", "overbite", "overbridge", "overdid", "overdrive", "overfine", "overgive", "overidle", "overlade",
	"overlie", "overline", "overlive", "overmine", "overnice", "overprice", "overprize", "overrake", "overrate", "overrich",
	"overridden", "overrider", "overriders", "overripe", "overripen", "overrule", "oversides", "oversize", "overstride",
	"overtime", "overtire", "overtrade", "overwise", "overwrite",
}

// lowered returns a name with its ASCII letters in lower case. The length stays the same, unlike
// with strings.ToLower: some other letters need more bytes in lower case, and so does the
// replacement character for invalid bytes.
func lowered(name string) string {
	text := []byte(name)
	for i, b := range text {
		if 'A' <= b && b <= 'Z' {
			text[i] = b + 'a' - 'A'
		}
	}
	return string(text)
}

func isOverrideStem(stem string) bool {
	return stem == "override" || strings.HasSuffix(stem, "_override")
}

// isExtension reports whether text is nothing but an extension.
func isExtension(text string) bool {
	stem, suffix := splitExtension(text)
	return stem == "" && suffix != ""
}

// splitExtension splits the extension of a configuration file off, if there is one.
func splitExtension(name string) (stem, suffix string) {
	for _, ext := range extensions {
		if stem, ok := strings.CutSuffix(name, ext.suffix); ok {
			return stem, ext.suffix
		}
	}
	return name, ""
}

// isBackup reports whether a name is one that editors give to backups and locks of
// configuration files, which engines ignore.
func isBackup(name string) bool {
	bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "."), "#"), "~"), "#")
	bare = strings.TrimSuffix(bare, ".swp")
	_, suffix := splitExtension(bare)
	return bare != name && suffix != "" && filepath.Base(bare) == bare
}

// givenTwice replaces the parser's diagnostic about an argument that is set twice in a block by one
// with both ranges, as other duplicates get.
func givenTwice(f *source.File, body *hclsyntax.Body, diags hcl.Diagnostics) hcl.Diagnostics {
	for i, d := range diags {
		if d.Summary != "Attribute redefined" || d.Subject == nil {
			continue
		}
		name := string(f.Text(*d.Subject))
		if first := attributeBeside(body, *d.Subject, name); first != nil {
			diags[i] = language.AttributeTwice(name, *d.Subject, first.NameRange)
		}
	}
	return diags
}

// attributeBeside finds the argument of a name in the body that contains a range.
func attributeBeside(body *hclsyntax.Body, at hcl.Range, name string) *hclsyntax.Attribute {
	i, _ := slices.BinarySearchFunc(body.Blocks, at.Start.Byte, func(b *hclsyntax.Block, at int) int {
		return b.Body.SrcRange.End.Byte - at - 1
	})
	if i < len(body.Blocks) && body.Blocks[i].Body.SrcRange.Start.Byte <= at.Start.Byte {
		return attributeBeside(body.Blocks[i].Body, at, name)
	}
	return body.Attributes[name]
}
