package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/tree"
	"github.com/tofumerge/tofumerge/internal/render"
	"github.com/tofumerge/tofumerge/internal/render/report"
)

// How render prints the modules of a tree, as one JSON object.

// checkModules refuses what makes no sense for several modules.
func (r *renderCommand) checkModules(cmd *cobra.Command) error {
	switch {
	case !r.json:
		return errors.New("--modules needs --json: a native file holds only one module")
	case cmd.Flags().Changed("filter") || r.onlyChanged:
		return errors.New("--modules prints whole modules; use --filter and --only-changed without it")
	}
	return nil
}

// runModules prints the modules of a tree by their addresses.
func (r *renderCommand) runModules(args []string, opts render.Options, out *writeback.Output) error {
	t, err := r.ws.Follow(args, load.AddressedTrees, merge.Options{NoOverrides: r.noOverrides})
	if err != nil {
		return err
	}
	for _, n := range t.Nodes {
		if err := r.app.checkOutput(out, n.First.Module.Source); err != nil {
			return err
		}
	}
	texts := map[*tree.Node][]byte{}
	for _, n := range t.Nodes {
		if n.First != n || n.Diags.HasErrors() {
			continue
		}
		doc, more, _ := render.JSON(n.Module, opts)
		n.Diags = append(n.Diags, more...)
		var text bytes.Buffer
		if err := doc.Write(&text); err != nil {
			return err
		}
		texts[n] = text.Bytes()
	}
	if err := t.ReportModules(); err != nil {
		return err
	}
	t.Finish(t.Totals())
	if r.noOutput {
		return nil
	}
	return r.write(func(w io.Writer) error { return r.writeModules(w, t, texts) }, out)
}

// writeModules writes the object, of which each configuration is a member as it is.
func (r *renderCommand) writeModules(w io.Writer, t *workspace.Tree, texts map[*tree.Node][]byte) error {
	var out bytes.Buffer
	member := func(indent, name string, value any, end string) error {
		key, err := report.Encode(name, "")
		if err != nil {
			return err
		}
		text, err := report.Encode(value, "")
		fmt.Fprintf(&out, "%s%s: %s%s", indent, bytes.TrimSpace(key), bytes.TrimSpace(text), end)
		return err
	}
	out.WriteString("{\n")
	err := errors.Join(
		member("  ", "format_version", report.FormatVersion, ",\n"),
		member("  ", "engine", t.Nodes[0].Module.Source.Engine.String(), ",\n"),
	)
	out.WriteString("  \"modules\": {\n")
	for i, n := range t.Nodes {
		key, keyErr := report.Encode(n.Own.String(), "")
		fmt.Fprintf(&out, "    %s: {\n", bytes.TrimSpace(key))
		err = errors.Join(err, keyErr, member("      ", "directory", t.Shown(n.Dir), ",\n"))
		if n.First != n {
			err = errors.Join(err, member("      ", "same_as", n.First.Own.String(), "\n"))
		} else {
			out.WriteString(`      "configuration": `)
			err = errors.Join(err, json.Indent(&out, bytes.TrimSpace(texts[n]), strings.Repeat(" ", 6), "  "))
			out.WriteString("\n")
		}
		out.WriteString("    }")
		if i < len(t.Nodes)-1 {
			out.WriteString(",")
		}
		out.WriteString("\n")
	}
	out.WriteString("  }\n}\n")
	if err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}
