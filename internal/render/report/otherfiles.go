package report

import (
	"github.com/tofumerge/tofumerge/internal/load/sidefiles"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/merge/providers"
)

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
