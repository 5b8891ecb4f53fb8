package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// A moduleTree is the JSON object that render prints of several modules, by their addresses.
type moduleTree struct {
	engine  string // of the root
	members bytes.Buffer
}

// addModule adds a module.
func (v *renderView) addModule(m *workspace.Module) error {
	var text bytes.Buffer
	if !m.IsRepeated() && !m.Diags.HasErrors() {
		v.mark(m)
		doc, more, _ := render.JSON(m.Module, v.opts)
		m.Diags = append(m.Diags, more...)
		if err := doc.Write(&text); err != nil {
			return err
		}
	}
	if err := v.run.Report(m, m.Diags); err != nil {
		return err
	}
	return v.tree.add(m, text.Bytes())
}

// add adds the configuration of a module as it is.
func (t *moduleTree) add(m *workspace.Module, text []byte) error {
	if t.members.Len() > 0 {
		t.members.WriteString(",\n")
	} else {
		t.engine = m.Source.Engine.String()
	}
	key, err := report.Encode(m.Own().String(), "")
	fmt.Fprintf(&t.members, "    %s: {\n", bytes.TrimSpace(key))
	err = errors.Join(err, writeMember(&t.members, "      ", "directory", m.Dir, ",\n"))
	if m.IsRepeated() {
		err = errors.Join(err, writeMember(&t.members, "      ", "same_as", *m.Record().SameAs, "\n"))
	} else {
		t.members.WriteString(`      "configuration": `)
		err = errors.Join(err, json.Indent(&t.members, bytes.TrimSpace(text), strings.Repeat(" ", 6), "  "))
		t.members.WriteString("\n")
	}
	t.members.WriteString("    }")
	return err
}

// write writes the object.
func (t *moduleTree) write(w io.Writer) error {
	var out bytes.Buffer
	out.WriteString("{\n")
	err := errors.Join(
		writeMember(&out, "  ", "format_version", report.FormatVersion, ",\n"),
		writeMember(&out, "  ", "engine", t.engine, ",\n"),
	)
	out.WriteString("  \"modules\": {\n")
	out.Write(t.members.Bytes())
	out.WriteString("\n  }\n}\n")
	if err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// writeMember writes a name and its value, and the text after them.
func writeMember(to *bytes.Buffer, indent, name string, value any, end string) error {
	key, err := report.Encode(name, "")
	if err != nil {
		return err
	}
	text, err := report.Encode(value, "")
	fmt.Fprintf(to, "%s%s: %s%s", indent, bytes.TrimSpace(key), bytes.TrimSpace(text), end)
	return err
}
