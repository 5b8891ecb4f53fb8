package cli

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// plainUsages removes the quotes from the descriptions of flags, where they mark the names of
// values for help. A shell would show them.
func plainUsages(cmd *cobra.Command) {
	plain := func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") }
	cmd.PersistentFlags().VisitAll(plain)
	cmd.Flags().VisitAll(plain)
	for _, c := range cmd.Commands() {
		plainUsages(c)
	}
}

// bashCompletion writes the script for bash. Cobra's takes an at sign for the end of a
// word, which it is to bash, but not in the name of an engine.
func bashCompletion(root *cobra.Command, w io.Writer, withDescriptions bool) error {
	var script bytes.Buffer
	if err := root.GenBashCompletionV2(&script, withDescriptions); err != nil {
		return err
	}
	const special = `_handle_special_char "$cur" `
	text := strings.ReplaceAll(script.String(), "_init_completion -n =: ", "_init_completion -n =:@ ")
	text = strings.Replace(
		text, "    __tofumerge"+special+"=\n", "    __tofumerge"+special+"=\n    __tofumerge"+special+"@\n", 1,
	)
	_, err := io.WriteString(w, text)
	return err
}

// repairCompletion makes the command that prints the scripts report errors, and corrects the script
// for bash.
func repairCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	completion.Short = "Print a completion script for a shell"
	completion.Long = `completion prints a script that completes commands, flags, addresses and rules in bash,
zsh, fish or powershell. The help of each explains how.`
	completion.Example = "  source <(tofumerge completion bash)\n  tofumerge completion fish > ~/.config/fish/completions/tofumerge.fish"
	for _, c := range completion.Commands() {
		c.Short = "Print the completion script for " + c.Name()
	}
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(*cobra.Command, []string) error {
		return errors.New("completion needs the name of a shell: bash, zsh, fish or powershell")
	}
	if bash, _, err := root.Find([]string{"completion", "bash"}); err == nil {
		bash.RunE = func(cmd *cobra.Command, _ []string) error {
			withoutDescriptions, err := cmd.Flags().GetBool("no-descriptions")
			return errors.Join(err, bashCompletion(root, cmd.OutOrStdout(), !withoutDescriptions))
		}
	}
}
