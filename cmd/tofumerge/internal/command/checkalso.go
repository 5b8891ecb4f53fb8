package command

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/render/palette"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/screen"
)

// A reportCopy is a file of --also: the report of the same run in another format.
type reportCopy struct {
	format report.Format
	to     *writeback.Output
}

// openCopies finds the files of --also, before anything is read.
func (o *checkOptions) openCopies() error {
	if len(o.also) > 0 && (o.listRules || o.showSettings) {
		return errors.New("--also writes a report of findings; leave it out")
	}
	for _, text := range o.also {
		name, path, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("--also takes FORMAT=FILE, such as sarif=tofumerge.sarif, not %q", text)
		}
		format, ok := report.FindFormat(name)
		if !ok {
			return fmt.Errorf("--also takes the format %s, not %q", report.FormatNames(), name)
		}
		to, err := o.ws.OpenOutput("--also", path)
		if err != nil {
			return err
		}
		o.copies, o.gate.Also = append(o.copies, reportCopy{format, to}), append(o.gate.Also, name)
	}
	return nil
}

// writeCopies writes the files of --also. No file is written unless all reports can be made.
func (o *checkOptions) writeCopies(r *report.Report) error {
	texts := make([]bytes.Buffer, len(o.copies))
	plain := screen.Screen{Palette: palette.New(false), Width: screen.DefaultWidth}
	for i, c := range o.copies {
		if err := c.format.Write(&texts[i], r, o.formatOptions(plain)); err != nil {
			return err
		}
	}
	for i, c := range o.copies {
		if err := c.to.Write(texts[i].Bytes(), o.ws.Warn); err != nil {
			return err
		}
	}
	return nil
}

// hidesIgnored reports whether one of the formats can't express that comments silence findings.
func (o *checkOptions) hidesIgnored() bool {
	printed, _ := report.FindFormat(o.gate.Format)
	return printed.OnlyFindings || slices.ContainsFunc(o.copies, func(c reportCopy) bool { return c.format.OnlyFindings })
}

// alsoForms completes the value of --also up to the name of the file.
func alsoForms(cmd *cobra.Command, words complete.Words) {
	var forms []string
	for _, f := range report.Formats {
		forms = append(forms, f.Name+"=")
	}
	words.ForFlag(cmd, "also", cobra.FixedCompletions(forms, cobra.ShellCompDirectiveNoSpace|cobra.ShellCompDirectiveNoFileComp))
}
