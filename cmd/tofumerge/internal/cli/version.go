package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/command"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/complete"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/process"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// versionInfo is what version --json prints.
type versionInfo struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"` // of the commit
	Engine  string `json:"engine"`
	// EngineFrom is what chose the engine; Engines are all releases that are known.
	EngineFrom string   `json:"engine_from"`
	Engines    []string `json:"engines"`
	// EnginesDate is the day on which the newest of them came out.
	EnginesDate string `json:"engines_date"`
	GoVersion   string `json:"go_version"`
	Platform    string `json:"platform"`
}

func newVersionCommand(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and the engine",
		Args:  command.NoArguments,

		ValidArgsFunction: complete.Nothing,

		RunE: func(*cobra.Command, []string) error { return a.printVersion(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) printVersion(asJSON bool) error {
	build := process.ThisBuild()
	a.ws.Engines.Printed = true
	chosen, err := a.ws.Engine(a.ws.Dir(nil))
	if err != nil {
		return err
	}
	if !asJSON {
		text := fmt.Sprintf("tofumerge %s\n", build.Version)
		if build.Commit != "" {
			text += strings.TrimRight(fmt.Sprintf("commit %s %s", build.Commit, build.Date), " ") + "\n"
		}
		text += fmt.Sprintf("rules of %s\nengines as of %s\n%s %s\n", chosen, engine.TablesDate, build.GoVersion, build.Platform)
		_, err := io.WriteString(a.ws.Out, text)
		return err
	}
	info := versionInfo{
		Version: build.Version, Commit: build.Commit, Date: build.Date, Engine: chosen.Release.String(), EngineFrom: chosen.From,
		EnginesDate: engine.TablesDate, GoVersion: build.GoVersion, Platform: build.Platform,
	}
	for _, e := range engine.Observed() {
		info.Engines = append(info.Engines, e.String())
	}
	enc := json.NewEncoder(a.ws.Out)
	enc.SetIndent("", "  ")
	return enc.Encode(info)
}
