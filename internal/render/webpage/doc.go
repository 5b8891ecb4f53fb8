// Package webpage writes a page of HTML that shows the effects of overrides in modules: their
// sections, which package section makes, in a frame with totals and a filter.
//
// Show turns one module after another into a Section, which keeps nothing of the module but text.
// Write writes one file without references to others: style and script are in it, and its
// Content-Security-Policy allows no more than these two. All text is escaped by html/template.
package webpage
