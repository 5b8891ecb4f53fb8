package main

import (
	"bytes"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newManCommand makes the command that packagers run: it writes the manual pages,
// or the completions, into a directory.
func newManCommand() *cobra.Command {
	completions := false
	cmd := &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages into a directory",
		Args:   cobra.ExactArgs(1),
		Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			if completions {
				return writeCompletions(cmd.Root(), args[0])
			}
			cmd.Root().DisableAutoGenTag = true
			start := time.Unix(0, 0) // pages that don't differ from day to day
			return doc.GenManTree(cmd.Root(), &doc.GenManHeader{Title: "TOFUMERGE", Section: "1", Date: &start, Source: "tofumerge"}, args[0])
		},
	}
	cmd.Flags().BoolVar(&completions, "completions", false, "write the completions of all shells instead")
	return cmd
}

func writeCompletions(root *cobra.Command, dir string) error {
	for name, write := range map[string]func(string) error{
		"tofumerge.bash": func(path string) error { return writeBashCompletion(root, path) },
		"_tofumerge":     root.GenZshCompletionFile,
		"tofumerge.fish": func(path string) error { return root.GenFishCompletionFile(path, true) },
		"tofumerge.ps1":  root.GenPowerShellCompletionFileWithDesc,
	} {
		if err := write(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func writeBashCompletion(root *cobra.Command, path string) error {
	var script bytes.Buffer
	if err := bashCompletion(root, &script, true); err != nil {
		return err
	}
	return os.WriteFile(path, script.Bytes(), 0o666)
}
