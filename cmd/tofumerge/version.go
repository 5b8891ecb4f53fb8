package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/internal/load"
)

// version is set when a release is linked.
var version = ""

// versionInfo is what version --json prints.
type versionInfo struct {
	Version   string `json:"version"`
	Commit    string `json:"commit,omitempty"`
	Engine    string `json:"engine"`
	GoVersion string `json:"go_version"`
	Platform  string `json:"platform"`
}

func newVersionCommand(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, and the engine release whose rules are followed",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info := currentVersion()
			if !asJSON {
				_, err := fmt.Fprintf(a.out, "tofumerge %s\nrules of %s\n%s %s\n", info.Version, info.Engine, info.GoVersion, info.Platform)
				return err
			}
			enc := json.NewEncoder(a.out)
			enc.SetIndent("", "  ")
			return enc.Encode(info)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

func currentVersion() versionInfo {
	info := versionInfo{
		Version:   version,
		Engine:    load.DefaultEngine().String(),
		GoVersion: runtime.Version(),
		Platform:  runtime.GOOS + "/" + runtime.GOARCH,
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return info
	}
	for _, s := range build.Settings {
		if s.Key == "vcs.revision" {
			info.Commit = s.Value
		}
	}
	if info.Version == "" {
		info.Version = build.Main.Version
	}
	return info
}
