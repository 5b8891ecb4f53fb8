package load

import (
	"path/filepath"
	"strings"
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
	return ""
}

// lowered is a name with its ASCII letters in lower case, and as long as before: the small
// forms of some other letters have more bytes, and so has what stands for bytes that are none.
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
