// Package render prints a merged module, in native or in JSON syntax, on request with marks that
// describe the effects of overrides.
//
// What it imports is the core. Of the packages below it, palette and safetext don't know
// modules; wording words their items and histories; plan arranges the output; native, annotate and
// jsonout write it. The others report on modules: they build on the core, which doesn't know them.
//
// No package decides which items are effective: they read the histories that package merge made.
// They write only to the given writers.
package render
