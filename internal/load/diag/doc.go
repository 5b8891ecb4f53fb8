// Package diag makes diagnostics: summary, detail, place, and in their Extra a second
// place. It escapes what it quotes, and it decides nothing.
package diag
