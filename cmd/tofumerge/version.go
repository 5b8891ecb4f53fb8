package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tofumerge/tofumerge/internal/load/engine"
)

// version is set when a release is linked.
var version = ""

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

// text is what people read.
func (v *versionInfo) text(rules string) string {
	text := fmt.Sprintf("tofumerge %s\n", v.Version)
	if v.Commit != "" {
		text += strings.TrimRight(fmt.Sprintf("commit %s %s", v.Commit, v.Date), " ") + "\n"
	}
	return text + fmt.Sprintf("rules of %s\nengines as of %s\n%s %s\n", rules, v.EnginesDate, v.GoVersion, v.Platform)
}

func newVersionCommand(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and the engine",
		Args:  noArguments,

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
	info.Engine, info.EngineFrom = chosen.Release.String(), chosen.From
	if !asJSON {
		_, err := io.WriteString(a.Out, info.text(chosen.String()))
		return err
	}
	for _, e := range engine.Observed() {
		info.Engines = append(info.Engines, e.String())
	}
	enc := json.NewEncoder(a.Out)
	enc.SetIndent("", "  ")
	return enc.Encode(info)
}

func currentVersion() versionInfo {
	info := versionInfo{
		Version:     version,
		EnginesDate: engine.TablesDate,
		GoVersion:   runtime.Version(),
		Platform:    runtime.GOOS + "/" + runtime.GOARCH,
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
			info.Date = s.Value
		}
	}
	if info.Version == "" {
		info.Version = build.Main.Version
	}
	return info
}
