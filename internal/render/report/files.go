package report

import (
	"iter"

	"github.com/hashicorp/hcl/v2"

	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/effect"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
	"github.com/tofumerge/tofumerge/internal/render/patch"
)

// A FileRecord describes one name in the module directory.
type FileRecord struct {
	Module   string `json:"module,omitempty"` // the directory of a ModuleRecord, if there are several
	Filename string `json:"filename"`
	Role     string `json:"role,omitempty"`   // primary or override
	Status   string `json:"status,omitempty"` // read, shadowed, excluded, ignored or not_read
	Syntax   string `json:"syntax,omitempty"` // native or json
	// Order numbers the files of a role, from 1, in load order.
	Order      int    `json:"order,omitempty"`
	Overlay    bool   `json:"overlay,omitempty"`
	Broken     bool   `json:"broken,omitempty"`      // it can't be read or parsed
	ShadowedBy string `json:"shadowed_by,omitempty"` // a file name
	// ReadBy words the releases that read the file, if the followed one does not.
	ReadBy string `json:"read_by,omitempty"`
	// MeantFor is the name of the override file that it may be meant to be.
	MeantFor string         `json:"meant_for,omitempty"`
	Effects  []EffectRecord `json:"effects,omitempty"` // of an override file

	Against    string       `json:"against,omitempty"` // the other side of the comparison, if it isn't the file itself
	IsNew      bool         `json:"new,omitempty"`
	Insertions *int         `json:"insertions,omitempty"`
	Deletions  *int         `json:"deletions,omitempty"`
	Hunks      []hunkRecord `json:"hunks,omitempty"`
}

// A hunkRecord is a run of lines that is replaced by others. Lines count from 1.
type hunkRecord struct {
	OldStart int `json:"old_start"`
	OldLines int `json:"old_lines"`
	NewStart int `json:"new_start"`
	NewLines int `json:"new_lines"`
}

// An EffectRecord is the effect of an override file on one name.
type EffectRecord struct {
	Effect  effect.Verb  `json:"effect"`
	Address string       `json:"address"`
	Range   RangeRecord  `json:"range"`
	Status  string       `json:"status"`
	By      *RangeRecord `json:"by"`
	Rule    ruleRecord   `json:"rule"`
	// Drops are keys, or names in nested blocks, of earlier values that it leaves out.
	Drops []string `json:"drops,omitempty"`

	Note string `json:"-"` // what to add for people
}

// Files records every name in the module directory: first the files that are read, in load order,
// then the others; with the effects of each override file. diags are the diagnostics of the module,
// of which errors mark refused items.
func Files(m *merge.Module, diags hcl.Diagnostics) []FileRecord {
	done := Effects(m, diags)
	meant := map[string]string{}
	for _, e := range m.Source.Names {
		if e.Status == load.Read {
			meant[e.Name] = e.Meant
		}
	}
	list := make([]FileRecord, 0, len(m.Source.Files))
	counts := map[source.Role]int{}
	for _, f := range m.Source.Files {
		counts[f.Role]++
		list = append(list, FileRecord{
			Filename: f.Name,
			Role:     roleOf(f.Role == source.Override),
			Status:   "read",
			Syntax:   syntaxOf(f.Syntax),
			Order:    counts[f.Role],
			Overlay:  f.Overlay,
			Broken:   f.Broken,
			MeantFor: meant[f.Name],
			Effects:  effectRecords(done[f]),
		})
	}
	for _, e := range m.Source.Names {
		if e.Status != load.Read {
			list = append(list, unread(e))
		}
	}
	return list
}

// AddFiles adds the files of one of several modules.
func (r *Report) AddFiles(module string, files []FileRecord) {
	for _, f := range files {
		f.Module = module
		r.Files = append(r.Files, f)
	}
}

// AddHistories adds the histories of a module by their addresses from the root of a tree, in which
// own is the address of the module. module is its directory, if there are several.
func (r *Report) AddHistories(module string, own address.Address, histories iter.Seq[HistoryRecord]) {
	for h := range histories {
		h.Module, h.Address = module, spelling.ConcatPaths(own.String(), h.Address)
		r.Histories = append(r.Histories, h)
	}
}

func roleOf(isOverride bool) string {
	if isOverride {
		return "override"
	}
	return "primary"
}

func syntaxOf(s source.Syntax) string {
	if s == source.JSON {
		return "json"
	}
	return "native"
}

func unread(e load.DirEntry) FileRecord {
	rec := FileRecord{Filename: e.Name, ShadowedBy: e.By, MeantFor: e.Meant}
	switch e.Status {
	case load.Shadowed:
		rec.Status = "shadowed"
	case load.Excluded:
		rec.Status = "excluded"
	case load.Ignored:
		rec.Status = "ignored"
	case load.Foreign:
		rec.Status, rec.ReadBy = "not_read", engine.Describe(engine.Release.ReadsTofuFiles)
	default:
		rec.Status = "not_read"
	}
	return rec
}

// effectRecords records the effects of one file.
func effectRecords(list []*Effect) []EffectRecord {
	if len(list) == 0 {
		return nil
	}
	records := make([]EffectRecord, 0, len(list))
	for _, e := range list {
		rec := EffectRecord{
			Effect:  e.Verb,
			Address: e.Address,
			Range:   rangeRecord(e.Range),
			Status:  string(e.Status),
			By:      itemRange(e.By),
			Rule:    ruleRecord{Summary: e.Why},
			Drops:   e.Drops,
			Note:    e.Note,
		}
		if e.Rule != nil {
			rec.Rule = *ruleOf(e.Rule, e.Why)
		}
		records = append(records, rec)
	}
	return records
}

// DiffRecords records the changes of each file, without the lines themselves. Unchanged files are
// left out.
func DiffRecords(diffs []*patch.File) []FileRecord {
	list := []FileRecord{}
	for _, d := range diffs {
		if !d.Changes() {
			continue
		}
		rec := FileRecord{Filename: d.Name, Hunks: []hunkRecord{}}
		if d.Title[0] != "" {
			rec.Filename, rec.Against = d.Title[0], d.Title[1]
		} else {
			rec.Role = "primary"
		}
		in, del := d.Counts()
		rec.Insertions, rec.Deletions, rec.IsNew = &in, &del, d.IsNew
		shift := 0
		for _, r := range d.Runs {
			rec.Hunks = append(rec.Hunks, hunkRecord{
				OldStart: r.From + 1,
				OldLines: r.To - r.From,
				NewStart: r.From + 1 + shift,
				NewLines: len(r.Lines),
			})
			shift += len(r.Lines) - (r.To - r.From)
		}
		list = append(list, rec)
	}
	return list
}

// An OtherFileRecord describes a file that the engine loads for the directory and never
// merges.
type OtherFileRecord struct {
	Module   string           `json:"module,omitempty"` // the directory of a ModuleRecord, if there are several
	Filename string           `json:"filename"`         // with slashes
	Role     sidefiles.Role   `json:"role"`
	Status   sidefiles.Status `json:"status"`
	Syntax   string           `json:"syntax"` // native or json
	// Order numbers variables files from 1, in load order.
	Order int `json:"order,omitempty"`
	// Needs is the option or the type of block without which the file is not loaded.
	Needs      string `json:"needs,omitempty"`
	ShadowedBy string `json:"shadowed_by,omitempty"`
	// ReadBy words the releases that load the file, if the followed one does not.
	ReadBy string `json:"read_by,omitempty"`
	Broken bool   `json:"broken,omitempty"` // it can't be read or parsed
	// Providers are the providers in a lock file and those that the module needs.
	Providers []ProviderRecord `json:"providers,omitzero"`
	// Variables are those that a variables file sets.
	Variables []AssignmentRecord `json:"variables,omitempty"`

	CallsModules bool `json:"-"` // others may need providers
}

// A ProviderRecord compares a module's requirements for a provider with the lock file.
type ProviderRecord struct {
	Source string           `json:"source"`
	Names  []string         `json:"names"` // local ones
	Status providers.Status `json:"status"`
	Locked *string          `json:"locked"` // a version; null if there is none, or it can't be read
	// LockedFor is the product whose registry it is locked from, if not the engine's.
	LockedFor   string             `json:"locked_for,omitempty"`
	Constraints []ConstraintRecord `json:"constraints"`
	RequiredBy  *RequirerRecord    `json:"required_by"`
}

// A ConstraintRecord is a version constraint in effect.
type ConstraintRecord struct {
	Constraint string      `json:"constraint"`
	Role       string      `json:"role"` // of the file: primary or override
	Range      RangeRecord `json:"range"`

	IsReadable bool `json:"-"`
	IsMet      bool `json:"-"`
}

// A RequirerRecord is an object that needs a provider.
type RequirerRecord struct {
	Address string      `json:"address"`
	Implied bool        `json:"implied,omitempty"` // by a block, without an entry in required_providers
	Range   RangeRecord `json:"range"`
}

// OtherFiles records the files that are not merged, in their order.
func OtherFiles(files []sidefiles.File) []OtherFileRecord {
	list := []OtherFileRecord{}
	for _, f := range files {
		rec := OtherFileRecord{
			Filename:   f.Name,
			Role:       f.Role,
			Status:     f.Status,
			Syntax:     syntaxOf(f.Syntax),
			Order:      f.Order,
			Needs:      f.Needs,
			ShadowedBy: f.By,
		}
		if f.Status == sidefiles.Unread {
			rec.ReadBy = f.In.String()
		}
		list = append(list, rec)
	}
	return list
}

// AddOtherFiles adds the files of one of several modules.
func (r *Report) AddOtherFiles(module string, files []OtherFileRecord) {
	for _, f := range files {
		f.Module = module
		r.OtherFiles = append(r.OtherFiles, f)
	}
}

// Providers records providers.
func Providers(list []providers.Provider) []ProviderRecord {
	records := []ProviderRecord{}
	for _, p := range list {
		rec := ProviderRecord{
			Source:      p.Source,
			Names:       []string{},
			Status:      p.Status,
			LockedFor:   string(p.LockedFor),
			Constraints: []ConstraintRecord{},
		}
		if p.Version != nil {
			rec.Locked = new(p.Version.String())
		}
		if r := p.Requirement; r != nil {
			rec.Names = r.Names
			rec.RequiredBy = &RequirerRecord{r.Address, r.IsImplied, rangeRecord(source.Where(r.By))}
			for _, c := range r.Constraints {
				rec.Constraints = append(rec.Constraints, constraintRecord(c, p))
			}
		}
		records = append(records, rec)
	}
	return records
}

func constraintRecord(c providers.Constraint, p providers.Provider) ConstraintRecord {
	return ConstraintRecord{
		Constraint: c.Text,
		Role:       roleOf(source.IsOverride(c.Item)),
		Range:      rangeRecord(source.Where(c.Item)),
		IsReadable: c.Versions != nil,
		IsMet:      c.Versions != nil && p.Version != nil && c.Versions.Check(p.Version),
	}
}
