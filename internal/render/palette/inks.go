package palette

import (
	"bytes"
	"strings"

	"github.com/fatih/color"
)

// A Class is the kind of a piece of configuration for colouring.
type Class int

// The classes of text.
const (
	Other Class = iota
	BlockType
	Name // of an argument, or of a member of a JSON object
	String
	Literal
	Comment
	classes
)

// An ink is the pair of sequences written before and behind a text to colour it.
type ink struct{ On, Off string }

// Inks colour configuration. They are quiet, so that marks stay in sight.
type Inks [classes]ink

// Inks returns the inks of the palette; all are empty if it is not coloured.
func (c Palette) Inks() Inks {
	var inks Inks
	for class, attribute := range map[Class]color.Attribute{
		BlockType: color.Bold,
		Name:      color.FgHiBlue,
		String:    color.FgCyan,
		Literal:   color.FgMagenta,
		Comment:   color.Faint,
	} {
		own := color.New(attribute)
		if !c.isColored {
			continue
		}
		own.EnableColor()
		inks[class].On, inks[class].Off, _ = strings.Cut(own.Sprint("\x00"), "\x00")
	}
	return inks
}

// Write writes text in the ink of a class, line by line: pagers start each line without
// colours.
func (inks *Inks) Write(out *bytes.Buffer, class Class, text []byte) {
	if class == Other {
		out.Write(text)
		return
	}
	for line := range bytes.Lines(text) {
		body := bytes.TrimRight(line, "\r\n")
		if len(body) > 0 {
			out.WriteString(inks[class].On)
			out.Write(body)
			out.WriteString(inks[class].Off)
		}
		out.Write(line[len(body):])
	}
}
