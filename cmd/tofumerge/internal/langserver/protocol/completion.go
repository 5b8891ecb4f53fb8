package protocol

// A CompletionList is the result of textDocument/completion.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// A CompletionItem is one suggestion.
type CompletionItem struct {
	Label            string             `json:"label"`
	Kind             CompletionItemKind `json:"kind,omitempty"`
	Detail           string             `json:"detail,omitempty"`
	Documentation    *MarkupContent     `json:"documentation,omitempty"`
	SortText         string             `json:"sortText,omitempty"`
	FilterText       string             `json:"filterText,omitempty"`
	InsertTextFormat InsertTextFormat   `json:"insertTextFormat,omitempty"`
	InsertTextMode   InsertTextMode     `json:"insertTextMode,omitempty"`
	TextEdit         *TextEdit          `json:"textEdit,omitempty"`
}

// A CompletionItemKind chooses the icon of an item.
type CompletionItemKind int

// The kinds that the server uses.
const (
	CompleteClass     CompletionItemKind = 7
	CompleteProperty  CompletionItemKind = 10
	CompleteSnippet   CompletionItemKind = 15
	CompleteReference CompletionItemKind = 18
)

// An InsertTextFormat distinguishes plain texts from snippets, which have placeholders.
type InsertTextFormat int

// The formats.
const (
	InsertPlain InsertTextFormat = iota + 1
	InsertSnippet
)

// An InsertTextMode controls whether a client adjusts the indentation of a text.
type InsertTextMode int

// InsertAsIs inserts a text unchanged.
const InsertAsIs InsertTextMode = 1

// CompletionOptions are the server's capabilities for completion.
type CompletionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters,omitempty"`
}
