package protocol

// A CompletionList is what may be inserted at a place.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// A CompletionItem is one thing that may be inserted.
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

// The kinds.
const (
	CompleteClass     CompletionItemKind = 7
	CompleteProperty  CompletionItemKind = 10
	CompleteSnippet   CompletionItemKind = 15
	CompleteReference CompletionItemKind = 18
)

// An InsertTextFormat says whether a text has places to fill in.
type InsertTextFormat int

// The formats.
const (
	InsertPlain InsertTextFormat = iota + 1
	InsertSnippet
)

// An InsertTextMode says whether a client indents the lines of a text.
type InsertTextMode int

// InsertAsIs has it leave them as they are.
const InsertAsIs InsertTextMode = 1

// CompletionOptions say when clients ask by themselves.
type CompletionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters,omitempty"`
}
