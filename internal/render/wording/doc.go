// Package wording holds words for people about items, places and values.
package wording
