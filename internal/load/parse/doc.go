// Package parse parses native text and turns it into tokens, with the parser and the lexer of
// package hclsyntax, in time and memory that grow with the text.
//
// All text from files is parsed by this package; a test refuses other callers of the parser. Its
// results equal the parser's: values, ranges, and diagnostics word by word.
//
// Comments are found without a lexer in the gaps between items, which hold nothing but blanks, line
// ends and comments. Those that start on the last line of an item trail it, and those on whole lines
// directly above lead it:
//
//	# leads a
//	a = 1 # trails a
//
//	# belongs to nothing
//
// Three things in hclsyntax (hcl 2.25) take time in proportion to the square of the text:
//
//   - The parser joins the literal text of a template piece by piece. Each line of a heredoc is a
//     piece, and so is each dollar and percent sign: <<EOT at the top of a file of 700 KB takes
//     more than a minute.
//   - For each piece that is joined it moves all parts of the template behind it.
//   - The lexer looks for the end of a comment behind each /* until the end of the text.
//
// A text that may have many pieces in one template is shortened before the parser sees it. Lines of
// long templates are left out, some at a time, and parsed separately; so are parts of long lines.
// A stand-in replaces them: literal text that no file can contain. In the tree from the parser, the
// stand-ins are found and replaced, and positions behind them are corrected.
//
// In an invalid text, an indented heredoc may keep blanks that the parser takes away, or the other way
// round: behind ~} the parser strips blanks only if the sequence has no errors.
//
// Of a template with very many errors only the first are reported, more than anybody reads. The same
// holds for the sequences in a label.
package parse
