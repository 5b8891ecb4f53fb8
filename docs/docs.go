// Package docs holds the pages that the program itself prints: the pages of check's rules.
package docs

import "embed"

//go:embed rules/*.md
var rules embed.FS

// Rule returns the page of a rule of check, in Markdown; nil if there is none.
func Rule(id string) []byte {
	page, err := rules.ReadFile("rules/" + id + ".md")
	if err != nil {
		return nil
	}
	return page
}
