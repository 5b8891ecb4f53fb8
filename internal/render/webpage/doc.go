// Package webpage writes a page of HTML that shows what overrides do in modules: the
// effective configuration with a colour for each override file, what each value was, and
// what check finds.
//
// In goes one module after the other (Show), each of which comes back as a Section, which
// holds nothing of the module but text. Out comes one file without references to others
// (Write): style and script are in it, and its Content-Security-Policy allows no more than
// these two. All text goes through html/template.
package webpage
