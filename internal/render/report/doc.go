// Package report holds the records of modules: files, the effects of overrides and the histories of names, changes,
// the layers of variables, differences between engines, and findings. Programs get them as JSON and in the formats
// that CI systems read; with the words beside them, screens show the same to people. Of many diagnostics it lists some,
// and of their source lines the part that matters, in which a word replaces what is sensitive.
package report
