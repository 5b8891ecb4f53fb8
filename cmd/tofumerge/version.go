package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// version is set when a release is linked.
var version = ""

// versionInfo is what version --json prints.
type versionInfo struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Engine  string `json:"engine"`
	// EngineFrom is what chose the engine; Engines are all releases that are known.
	EngineFrom string   `json:"engine_from"`
	Engines    []string `json:"engines"`
	GoVersion  string   `json:"go_version"`
	Platform   string   `json:"platform"`

	date string // of the commit
}

func newVersionCommand(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and the engine",
		Args:  cobra.NoArgs,

		ValidArgsFunction: completeNothing,

		RunE: func(*cobra.Command, []string) error { return a.printVersion(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) printVersion(asJSON bool) error {
	info := currentVersion()
	a.engines.printed = true
	chosen, err := a.engineFor(a.moduleDir(nil))
	if err != nil {
		return err
	}
	info.Engine, info.EngineFrom = chosen.Release.String(), chosen.from
	if !asJSON {
		_, err := fmt.Fprintf(
			a.out, "tofumerge %s\nrules of %s\n%s %s\n", info.Version, chosen, info.GoVersion, info.Platform,
		)
		return err
	}
	for _, e := range engine.Observed() {
		info.Engines = append(info.Engines, e.String())
	}
	enc := json.NewEncoder(a.out)
	enc.SetIndent("", "  ")
	return enc.Encode(info)
}

func currentVersion() versionInfo {
	info := versionInfo{
		Version:   version,
		GoVersion: runtime.Version(),
		Platform:  runtime.GOOS + "/" + runtime.GOARCH,
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	for _, s := range build.Settings {
		switch s.Key {
		case "vcs.revision":
			info.Commit = s.Value
		case "vcs.time":
			info.date = s.Value
		}
	}
	if info.Version == "" {
		info.Version = build.Main.Version
	}
	return info
}
