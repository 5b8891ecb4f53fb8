package report

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
)

// SARIF 2.1.0, https://docs.oasis-open.org/sarif/sarif/v2.1.0/: the parts of it
// that are written.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations,omitempty"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
	Properties  *sarifProperties  `json:"properties,omitempty"`
}

// sarifProperties are what the format has no room for: how many findings settings leave out.
type sarifProperties struct {
	LeftOut map[string]int `json:"leftOut"`
}

// A sarifInvocation describes the run as a whole.
type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolConfigurationNotifications"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID                   string    `json:"id"`
	ShortDescription     sarifText `json:"shortDescription"`
	FullDescription      sarifText `json:"fullDescription"`
	Help                 sarifHelp `json:"help"` // GitHub wants it
	HelpURI              string    `json:"helpUri"`
	DefaultConfiguration struct {
		Enabled bool   `json:"enabled"`
		Level   string `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifHelp struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"` // -1 for a rule that the driver does not have
	Level               string            `json:"level"`
	Message             sarifText         `json:"message"`
	Locations           []sarifLocation   `json:"locations"`
	RelatedLocations    []sarifLocation   `json:"relatedLocations,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	Fixes               []sarifFix        `json:"fixes,omitempty"`
	// Suppressions are the suppressions of a finding that comments silence. If one result has the
	// property, all must have it.
	Suppressions *[]sarifSuppression `json:"suppressions,omitempty"`
}

type sarifSuppression struct {
	Kind          string         `json:"kind"`
	Justification string         `json:"justification,omitempty"`
	Location      *sarifLocation `json:"location,omitempty"`
}

type sarifLocation struct {
	PhysicalLocation sarifPlace     `json:"physicalLocation"`
	LogicalLocations []sarifAddress `json:"logicalLocations,omitempty"`
	Message          *sarifText     `json:"message,omitempty"`
}

type sarifPlace struct {
	ArtifactLocation sarifArtifact `json:"artifactLocation"`
	Region           *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifAddress struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"` // of the first character behind it
}

// fingerprintName names the way in which fingerprint works.
const fingerprintName = "tofumerge/v2"

// writeSARIF writes the findings as a SARIF 2.1.0 log of one run. Names of arguments and
// keys are in it, and no value.
func writeSARIF(w io.Writer, r *Report, o FormatOptions) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{
		Name:           "tofumerge",
		Version:        o.Version,
		InformationURI: home,
	}
	for _, rule := range check.Rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(rule, o.Page))
	}
	var said []sarifNotification
	for _, text := range append([]string{r.assumption()}, r.Notes...) {
		if text != "" {
			said = append(said, sarifNotification{"note", sarifText{text}})
		}
	}
	if said != nil {
		run.Invocations = []sarifInvocation{{ExecutionSuccessful: true, Notifications: said}}
	}
	if r.LeftOut() != "" {
		run.Properties = &sarifProperties{r.Counts.LeftOut}
	}
	seen := map[string]int{}
	for _, list := range [][]FindingRecord{r.Findings, r.Suppressed} { // so that findings keep their fingerprints
		for i := range list {
			result := sarifResultOf(&list[i])
			mark := fingerprint(&list[i])
			seen[mark]++
			result.PartialFingerprints = map[string]string{fingerprintName: fmt.Sprintf("%s:%d", mark, seen[mark])}
			if len(r.Suppressed) > 0 {
				result.Suppressions = &[]sarifSuppression{}
			}
			run.Results = append(run.Results, result)
		}
	}
	for i := range r.Suppressed {
		run.Results[len(r.Findings)+i].Suppressions = &[]sarifSuppression{sarifSuppressionOf(&r.Suppressed[i])}
	}
	return safetext.WriteJSON(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, jsonIndent)
}

func sarifRuleOf(rule *check.Rule, pageOf func(id string) []byte) sarifRule {
	page := RuleURL(rule.ID)
	s := sarifRule{
		ID:               rule.ID,
		ShortDescription: sarifText{rule.Title},
		FullDescription:  sarifText{rule.Why},
		Help:             sarifHelp{Text: rule.Why + " See " + page},
		HelpURI:          page,
	}
	if pageOf != nil {
		s.Help.Markdown = withWholeLinks(string(pageOf(rule.ID)), rule.ID)
	}
	s.DefaultConfiguration.Enabled, s.DefaultConfiguration.Level = !rule.Off, sarifLevels[rule.Severity]
	return s
}

var sarifLevels = map[check.Severity]string{check.Error: "error", check.Warning: "warning", check.Notice: "note"}

func sarifResultOf(f *FindingRecord) sarifResult {
	result := sarifResult{
		RuleID:    f.Rule,
		RuleIndex: slices.IndexFunc(check.Rules, func(rule *check.Rule) bool { return rule.ID == f.Rule }),
		Level:     sarifLevels[f.level()],
		Message:   sarifText{safetext.Printable(f.plainText())},
		Fixes:     sarifFixes(f),
	}
	place := sarifLocation{PhysicalLocation: sarifPlaceOf(f.Path, f.Range)}
	if f.Address != "" {
		place.LogicalLocations = []sarifAddress{{f.Address}}
	}
	result.Locations = []sarifLocation{place}
	for _, related := range f.Related {
		place := sarifLocation{
			PhysicalLocation: sarifPlaceOf(related.Range.Filename, related.Range),
			Message:          &sarifText{safetext.Printable(related.Note)},
		}
		isSame := func(other sarifLocation) bool { return reflect.DeepEqual(other, place) }
		if !slices.ContainsFunc(result.RelatedLocations, isSame) { // the schema allows each one once
			result.RelatedLocations = append(result.RelatedLocations, place)
		}
	}
	return result
}

func sarifSuppressionOf(f *FindingRecord) sarifSuppression {
	s := sarifSuppression{Kind: "inSource"}
	if by := f.Suppression; by != nil {
		s.Justification = safetext.Printable(by.Reason)
		s.Location = &sarifLocation{PhysicalLocation: sarifPlaceOf(by.Path, by.Range)}
	}
	return s
}

func sarifPlaceOf(path string, r RangeRecord) sarifPlace {
	place := sarifPlace{ArtifactLocation: sarifArtifact{uriOf(path, isWindows)}}
	if r.Start.Line > 0 {
		place.Region = &sarifRegion{r.Start.Line, r.Start.Column, r.End.Line, r.End.Column}
	}
	return place
}

// fingerprint distinguishes a finding from most others, and stays the same when the lines
// around it move. It is made of nothing that holds a value, since short values
// could be guessed from it.
func fingerprint(f *FindingRecord) string {
	text := cmp.Or(f.text, f.Summary)
	if f.more > 0 {
		text = "more" // their number doesn't matter
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Rule, f.Path, f.Address, text}, "\x00")))
	return fmt.Sprintf("%x", sum[:16])
}

// The parts of a SARIF log besides results: fixes, and help.

type sarifFix struct {
	Description     sarifText     `json:"description"`
	ArtifactChanges []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	ArtifactLocation sarifArtifact      `json:"artifactLocation"`
	Replacements     []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	DeletedRegion   sarifRegion `json:"deletedRegion"`
	InsertedContent *sarifText  `json:"insertedContent,omitempty"`
}

// sarifFixes is what would fix a finding, unless it writes values: those are in no log.
func sarifFixes(f *FindingRecord) []sarifFix {
	if f.Fix == nil || f.Fix.Quotes {
		return nil
	}
	made := sarifFix{Description: sarifText{f.Fix.Text}}
	for _, e := range f.Fix.Edits {
		file := sarifArtifact{uriOf(e.Path, isWindows)}
		n := len(made.ArtifactChanges)
		if n == 0 || made.ArtifactChanges[n-1].ArtifactLocation != file {
			made.ArtifactChanges = append(made.ArtifactChanges, sarifChange{ArtifactLocation: file})
			n++
		}
		change := &made.ArtifactChanges[n-1]
		r := sarifReplacement{DeletedRegion: sarifRegion{e.Start.Line, e.Start.Column, e.End.Line, e.End.Column}}
		if e.Text != "" {
			r.InsertedContent = &sarifText{e.Text}
		}
		change.Replacements = append(change.Replacements, r)
	}
	return []sarifFix{made}
}
