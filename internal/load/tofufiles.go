package load

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/load/language"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// A TofuFile is a .tofu or .tofu.json file of a module.
type TofuFile struct {
	Name string
	// Required are the version constraints that it sets.
	Required []version.Constraints
}

// TofuFiles lists the .tofu and .tofu.json files of a directory. Of a file that can't be
// read or parsed no constraints are known: that is reported when the module is loaded. Of
// the options, those count that say where files are and how they are read.
func TofuFiles(dir string, from Options) []TofuFile {
	from.MaxFileSize = cmp.Or(from.MaxFileSize, input.DefaultMaxFileSize)
	var list []TofuFile
	texts := map[string][]byte{}
	for _, name := range from.tofuNames(dir) {
		list = append(list, TofuFile{Name: name})
		text, isGiven := from.Contents[name]
		var err error
		if !isGiven {
			text, err = from.readIn(dir, name)
		}
		if err == nil && bytes.Contains(text, []byte(requiredVersion)) {
			texts[name] = text
		}
	}
	if len(texts) == 0 {
		return list
	}
	opts := Options{From: from.From, Engine: engine.TofuReader().Newest(), Contents: texts, Absent: func(string) bool { return true }, Trees: AllTrees}
	m, _, err := Dir(dir, opts)
	if err != nil {
		return list
	}
	for _, f := range m.Files {
		i := slices.IndexFunc(list, func(t TofuFile) bool { return t.Name == f.Name })
		list[i].Required = requiredBy(f)
	}
	return list
}

// readIn reads a file of a directory, wherever that is.
func (o Options) readIn(dir, name string) ([]byte, error) {
	if o.From != nil {
		return o.From.Read(name, o.MaxFileSize)
	}
	return o.read(filepath.Join(dir, name))
}

// tofuNames lists the names of such files in byte order.
func (o Options) tofuNames(dir string) []string {
	isOther := func(name string) bool {
		entry, ok := classifyName(name)
		return !ok || !entry.Tofu || entry.Status == Ignored
	}
	var names []string
	if o.From != nil {
		names, _, _ = o.From.Names()
		names = slices.DeleteFunc(slices.Clone(names), isOther)
	} else {
		names = filesIn(dir, isOther)
	}
	return slices.DeleteFunc(o.names(names), isOther)
}

// filesIn lists the names of files on the disk, without others. Next to all directories
// have only others, so the names are read without what each of them is.
func filesIn(dir string, isOther func(string) bool) []string {
	var names []string
	if d, err := os.Open(dir); err == nil {
		names, _ = d.Readdirnames(-1)
		d.Close()
	}
	return slices.DeleteFunc(names, func(name string) bool {
		if isOther(name) {
			return true
		}
		info, err := os.Lstat(filepath.Join(dir, name))
		return err != nil || info.IsDir()
	})
}

const requiredVersion = "required_version"

// requiredBy lists the version constraints of a file that are constant and well-formed.
func requiredBy(f *source.File) []version.Constraints {
	var list []version.Constraints
	for i := range f.Len() {
		b := f.Block(i)
		if b.Type != "terraform" || b.Body == nil {
			continue
		}
		for _, it := range b.Body.Items {
			a, ok := it.(*source.Attr)
			if !ok || a.Name != requiredVersion {
				continue
			}
			text, _ := language.ConstantString(a)
			if c, err := version.NewConstraint(text); err == nil && text != "" {
				list = append(list, c)
			}
		}
	}
	return list
}
