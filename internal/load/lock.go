package load

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/guard"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/zclconf/go-cty/cty"
)

// LockName is the name of the file in which init notes which versions of providers
// it chose. https://opentofu.org/docs/language/files/dependency-lock/
const LockName = ".terraform.lock.hcl"

// A Lock is the version of each provider in a lock file, by its source address
// with the host in front.
type Lock map[string]*version.Version

// ReadLock reads the lock file of a module directory. Without one, or with one that is
// malformed, nothing is locked: init writes it anew.
func ReadLock(dir string, limit int64) (Lock, error) {
	read := input.ReadFile
	if limit > input.MaxLockSize {
		read, limit = input.Read, input.MaxLockSize
	}
	return lockIn(read(filepath.Join(dir, LockName), limit))
}

// Lock reads the lock file of the module's directory as ReadLock does.
func (m *Module) Lock(limit int64) (Lock, error) {
	if m.From == nil {
		return ReadLock(m.Dir, limit)
	}
	return lockIn(m.From.Read(LockName, min(limit, input.MaxLockSize)))
}

// lockIn is what a lock file says.
func lockIn(src []byte, err error) (Lock, error) {
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	body, _ := guard.Parse(src, LockName)
	if body == nil {
		return nil, guard.ErrTooDeep
	}
	lock := Lock{}
	for _, b := range body.Blocks {
		attr := b.Body.Attributes["version"]
		if b.Type != "provider" || len(b.Labels) != 1 || attr == nil {
			continue
		}
		value, diags := guard.Evaluate(attr.Expr)
		if diags.HasErrors() || value.IsNull() || value.Type() != cty.String {
			continue
		}
		if v, err := version.NewVersion(value.AsString()); err == nil {
			lock[b.Labels[0]] = v
		}
	}
	return lock, nil
}

// ProviderAddress is a provider's source address with the host and the namespace
// that an engine adds where they are missing; name is its local name.
func ProviderAddress(name, source string, e engine.Release) string {
	if source == "" {
		source = name
	}
	parts := strings.Split(source, "/")
	switch len(parts) {
	case 1:
		parts = []string{e.Product.Registry(), "hashicorp", parts[0]}
	case 2:
		parts = append([]string{e.Product.Registry()}, parts...)
	}
	return strings.ToLower(strings.Join(parts, "/"))
}

// A ProviderRequirement is what an entry of required_providers asks for, as far as it is
// constant.
type ProviderRequirement struct {
	Source string
	// Constraint is nil where it is missing or malformed.
	Constraint version.Constraints
}

// DecodeRequirement reads an entry of required_providers, which is an object, or
// a version constraint alone.
func DecodeRequirement(a *source.Attr) ProviderRequirement {
	var r ProviderRequirement
	text, isText := language.ConstantString(a)
	if !isText {
		pairs, _ := hcl.ExprMap(a.Expr())
		for _, p := range pairs {
			value, ok := language.ConstantString(a.With(p.Value))
			key, diags := guard.Evaluate(p.Key)
			switch {
			case !ok || diags.HasErrors() || key.IsNull() || key.Type() != cty.String:
			case key.AsString() == "source":
				r.Source = value
			case key.AsString() == "version":
				text = value
			}
		}
	}
	if text != "" {
		r.Constraint, _ = version.NewConstraint(text)
	}
	return r
}

// IsRequirement reports whether an argument is an entry of required_providers.
func IsRequirement(a *source.Attr) bool {
	if a.In == nil || a.In.In == nil {
		return false
	}
	top, _ := language.Of(a.File.Engine).Block(a.In.In.Type)
	inner, _ := top.Body.Block(a.In.Type)
	arg, ok := inner.Body.Arg(a.Name)
	return ok && arg.Kind == language.Requirement
}
