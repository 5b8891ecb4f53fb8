package relocate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// formOf detects the form of a stream by its beginning; Auto if that is too short. A text in
// brackets isn't a document.
func formOf(beginning []byte, isWhole bool) Form {
	text := bytes.TrimLeft(bytes.TrimPrefix(beginning, spelling.UTF8BOM), " \t\r\n")
	isEnough := isWhole || len(beginning) >= sniffed
	switch {
	case len(text) == 0 && !isEnough:
		return Auto
	case len(text) == 0:
		return Text
	case text[0] == '{' || text[0] == '[':
		return bracketed(text[:min(len(text), sniffed)], isEnough)
	}
	return Text
}

// bracketed distinguishes JSON from other text in brackets.
func bracketed(text []byte, isEnough bool) Form {
	dec := json.NewDecoder(bytes.NewReader(text))
	for n := 0; ; n++ {
		_, err := dec.Token()
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			if !isEnough && n < certain {
				return Auto
			}
			return JSON
		case err != nil:
			return Text
		case n >= certain:
			return JSON
		}
	}
}

// certain is how many tokens no other text has by chance.
const certain = 8
