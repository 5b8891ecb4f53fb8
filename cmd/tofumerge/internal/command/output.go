package command

import (
	"bytes"
	"io"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
)

// findOutput finds the file that --output names, before anything is read; nil without it.
func findOutput(ws *workspace.Workspace, cmd *cobra.Command, name string) (*writeback.Output, error) {
	if !cmd.Flags().Changed("output") {
		return nil, nil
	}
	return writeback.FindOutput(ws.Base(), name)
}

// checkOutput refuses an output file that is part of the input.
func checkOutput(ws *workspace.Workspace, out *writeback.Output, src *load.Module) error {
	if ws.Schema == "" {
		return out.Check(src, policy.FileName)
	}
	return out.Check(src, policy.FileName, writeback.Input{Path: repo.In(ws.Base(), ws.Schema), What: "the file of --provider-schema"})
}

// writeTo writes a result to a file, as a whole or not at all, or to standard output if out is nil.
func writeTo(ws *workspace.Workspace, out *writeback.Output, isJSON bool, write func(io.Writer) error) error {
	switch {
	case out == nil && isJSON:
		return write(ws.JSONOut())
	case out == nil:
		return write(ws.Out)
	}
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return err
	}
	return out.Write(text.Bytes(), ws.Warn)
}
