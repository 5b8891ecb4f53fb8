package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// look finds the values of the words of forms in a module, by running the old build.
func (w *worker) look(modules []string, at int) (map[string]string, error) {
	module := modules[at]
	known := map[string]string{
		"{module}": "./" + filepath.Base(module),
		"{other}":  modules[(at+1)%len(modules)],
		"{policy}": filepath.Join(w.work, "policy.hcl"),
	}
	names, err := configurationFiles(module)
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		known["{file}"] = names[0]
	}
	told, err := w.ask(module, "list", "--json")
	if err != nil {
		return nil, err
	}
	found := told.addresses()
	if len(found) == 0 {
		found = headers(module, names)
	}
	if len(found) > 0 {
		known["{first}"], known["{middle}"], known["{last}"] = found[0], found[len(found)/2], found[len(found)-1]
	}
	if told, err = w.ask(module, "explain", "--all", "--json"); err != nil {
		return nil, err
	}
	schema := filepath.Join(w.work, "schemas", fmt.Sprintf("%d.json", at))
	known["{schema}"] = schema
	return known, put(schema, told.schema())
}

// A told holds the needed parts of the JSON reports.
type told struct {
	Files []struct {
		Effects []struct{ Address string }
	}
	Histories []struct{ Address, Kind string }
}

// ask reads a report of the old build; one that can't be read is empty.
func (w *worker) ask(module string, args ...string) (told, error) {
	var t told
	o, err := call{args: args, dir: module}.run(w.builds[0], environment(w.work), w.timeout)
	if err == nil {
		_ = json.Unmarshal(o[stdout], &t)
	}
	return t, err
}

func (t told) addresses() []string {
	var all []string
	for _, f := range t.Files {
		for _, e := range f.Effects {
			all = append(all, e.Address)
		}
	}
	for _, h := range t.Histories {
		all = append(all, h.Address)
	}
	return slices.DeleteFunc(all, func(a string) bool { return a == "" })
}

var header = regexp.MustCompile(`(?m)^(resource|data|module|variable|output) +"([^"]+)"(?: +"([^"]+)")?`)

// headers are addresses by the first lines of blocks, as they are in native files.
func headers(module string, names []string) []string {
	var all []string
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(module, name))
		if err != nil {
			continue
		}
		for _, m := range header.FindAllStringSubmatch(string(text), -1) {
			address := strings.TrimSuffix(m[1]+"."+m[2]+"."+m[3], ".")
			all = append(all, strings.TrimPrefix(address, "resource."))
		}
	}
	return all
}

// A schemaBlock is the body of a block in a provider schema.
type schemaBlock struct {
	Attributes map[string]any           `json:"attributes"`
	BlockTypes map[string]*schemaNested `json:"block_types"`
}

type schemaNested struct {
	Mode  string       `json:"nesting_mode"`
	Block *schemaBlock `json:"block"`
}

func newSchemaBlock() *schemaBlock {
	return &schemaBlock{map[string]any{}, map[string]*schemaNested{}}
}

// schema is a provider schema with the arguments and blocks of the module's resources. Some are
// reversed, so that the schema decides something.
func (t told) schema() []byte {
	type entry struct {
		Block *schemaBlock `json:"block"`
	}
	resources := map[string]entry{}
	for _, h := range t.Histories {
		segments := strings.Split(h.Address, ".")
		if len(segments) < 3 || !strings.Contains(segments[0], "_") {
			continue
		}
		if _, ok := resources[segments[0]]; !ok {
			resources[segments[0]] = entry{newSchemaBlock()}
		}
		resources[segments[0]].Block.add(segments[2:], h.Kind)
	}
	text, err := json.Marshal(map[string]any{
		"format_version":   "1.0",
		"provider_schemas": map[string]any{"registry.example.com/example/any": map[string]any{"resource_schemas": resources}},
	})
	if err != nil {
		panic(err) // only maps, lists and text
	}
	return text
}

func (b *schemaBlock) add(segments []string, kind string) {
	name, _, _ := strings.Cut(segments[0], "[")
	hash := fnv.New32()
	hash.Write([]byte(name))
	isBlock := len(segments) > 1 || kind == "block"
	if hash.Sum32()%4 == 0 {
		isBlock = !isBlock
	}
	if !isBlock {
		b.Attributes[name] = map[string]any{"type": "string", "optional": true}
		return
	}
	if b.BlockTypes[name] == nil {
		b.BlockTypes[name] = &schemaNested{"list", newSchemaBlock()}
	}
	if len(segments) > 1 {
		b.BlockTypes[name].Block.add(segments[1:], kind)
	}
}
