package extract_test

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/loadtest"
	"github.com/tofumerge/tofumerge/internal/merge"
	"github.com/tofumerge/tofumerge/internal/merge/address"
	"github.com/tofumerge/tofumerge/internal/merge/changes"
	"github.com/tofumerge/tofumerge/internal/merge/compare"
	"github.com/tofumerge/tofumerge/internal/merge/extract"
	"github.com/tofumerge/tofumerge/internal/merge/mergetest"
	"github.com/tofumerge/tofumerge/internal/merge/rules"
	"github.com/tofumerge/tofumerge/internal/render/native"
	"github.com/tofumerge/tofumerge/internal/render/rewrite"
	"pgregory.net/rapid"
)

// The releases whose override rules differ most.
var releases = []string{"opentofu@1.12", "opentofu@1.8", "terraform@1.5", "terraform@1.15"}

// forEdits checks a property of made modules and random edits of them that the engine takes.
func forEdits(t *testing.T, property func(t *rapid.T, e edit)) {
	rapid.Check(t, func(t *rapid.T) {
		g := loadtest.NewGenerator(rapid.Uint64().Draw(t, "seed"))
		g.Engine = releaseOf(t, rapid.SampledFrom(releases).Draw(t, "engine"))
		e := edit{engine: g.Engine, base: g.Module()}
		ed := &editor{Rand: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "edits"), 1)), Files: e.base, Engine: g.Engine}
		ed.Edit(1 + ed.IntN(6))
		e.edited = ed.Files
		defer func() {
			if t.Failed() {
				e.show(t)
			}
		}()
		property(t, e)
	})
}

func releaseOf(t mergetest.T, name string) engine.Release {
	e, err := engine.Parse(name)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return e
}

// An edit is a module before and after.
type edit struct {
	engine       engine.Release
	base, edited map[string]string
}

func (e edit) show(t *rapid.T) {
	t.Logf("%s", e.engine)
	for i, files := range []map[string]string{e.base, e.edited} {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if i == 0 || files[name] != e.base[name] {
				t.Logf("-- %s/%s --\n%s", []string{"base", "edited"}[i], name, files[name])
			}
		}
	}
}

// found extracts from an edit; the test is skipped if the engine refuses the module.
func (e edit) found(t *rapid.T, o extract.Options) *extract.Result {
	t.Helper()
	r, err := findFrom(e.earlier(), e.edited, e.engine, o)
	var refused *extract.RefusedError
	var diags hcl.Diagnostics
	switch {
	case errors.As(err, &refused) && refused.Of == extract.Edited, errors.As(err, &diags):
		t.Skip(err)
	case errors.As(err, &refused) && (isTwice(refused) || !e.takes(t, e.earlier())):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	return r
}

// isTwice reports whether BASE is refused only later, and extract knows it.
func isTwice(err *extract.RefusedError) bool {
	return err.Of == extract.Base && strings.Contains(err.Error(), "Duplicate argument")
}

func (e edit) earlier() map[string]string {
	files := map[string]string{}
	for name, text := range extract.Earlier(inBytes(e.base), inBytes(e.edited)) {
		files[name] = string(text)
	}
	return files
}

func (e edit) takes(t *rapid.T, files map[string]string) bool {
	_, diags := e.merged(t, files)
	return !diags.HasErrors()
}

func (e edit) merged(t *rapid.T, files map[string]string) (*merge.Module, hcl.Diagnostics) {
	t.Helper()
	src, diags, err := load.Dir(".", mergetest.InMemory(files, e.engine))
	if err != nil {
		t.Fatal(err)
	}
	m, more := merge.Files(src, merge.Options{})
	return m, append(diags, more...)
}

// with are the files of BASE and those that were made.
func (e edit) with(r *extract.Result) map[string]string {
	files := e.earlier()
	for name, text := range r.Texts {
		files[name] = string(text)
	}
	return files
}

// TestMeaning judges by package changes, and by the printed output, whether BASE with the override
// equals EDITED apart from the remaining differences.
func TestMeaning(t *testing.T) {
	forEdits(t, func(t *rapid.T, e edit) {
		o := extract.Options{Name: rapid.SampledFrom([]string{"z_override.tf", "z_override.tf.json"}).Draw(t, "name")}
		if rapid.Bool().Draw(t, "new file") {
			o.NewFile = "zz_new.tf"
		}
		r := e.found(t, o)
		got, diags := e.merged(t, e.with(r))
		if diags.HasErrors() {
			t.Fatalf("refused: %s\n%s", diags, r.Texts)
		}
		want := e.judgeAll(t, r, got)
		if len(r.Left)+len(r.Idle) > 0 {
			return
		}
		if diff := cmp.Diff(printed(t, want), printed(t, got)); diff != "" && !strings.HasSuffix(o.Name, ".json") {
			t.Errorf("(-edited +merged):\n%s\n%s", diff, r.Texts)
		}
	})
}

// TestUnsettled checks that the result is that of one trial: its blocks are those of its texts, also if the rounds
// run out and parts are given up.
func TestUnsettled(t *testing.T) {
	defer extract.LimitRounds(1)()
	forEdits(t, func(t *rapid.T, e edit) {
		o := extract.Options{Name: "z_override.tf", NewFile: "zz_new.tf"}
		r := e.found(t, o)
		for name, parts := range map[string][]*merge.Part{o.Name: r.Override, o.NewFile: r.New} {
			var want []byte
			if len(parts) > 0 {
				want, _ = rewrite.Made(r.Edited.Source, name, parts)
			}
			if diff := cmp.Diff(string(want), string(r.Texts[name])); diff != "" {
				t.Errorf("%s (-parts +text):\n%s", name, diff)
			}
		}
		got, _ := e.merged(t, e.with(r))
		e.judgeAll(t, r, got)
	})
}

// judgeAll fails for changes between a module and EDITED that are not left. It returns EDITED.
func (e edit) judgeAll(t *rapid.T, r *extract.Result, got *merge.Module) *merge.Module {
	t.Helper()
	want, _ := e.merged(t, e.edited)
	for _, b := range changes.Between(got, want) {
		b.Changes = slices.DeleteFunc(b.Changes, func(c changes.Change) bool {
			isOdd := c.Item.Rule.Match == rules.ByPosition || c.Item.Value != nil || c.Item.Rule.Void != "" // a computed text is not looked into
			return isOdd && cmp.Equal(linesOf(got, c.Address), linesOf(want, c.Address))
		})
		e.judge(t, r, b)
	}
	return want
}

// linesOf returns the lines of a module's meaning about blocks of a type, in any order.
func linesOf(m *merge.Module, own address.Address) []string {
	return slices.DeleteFunc(compare.Meaning(m, nil), func(line string) bool { return !strings.HasPrefix(line, own.Kind().String()+"\n") })
}

// judge fails for changes of a block that are not left.
func (e edit) judge(t *rapid.T, r *extract.Result, b *changes.Block) {
	t.Helper()
	isLeft := func(own address.Address) bool {
		return slices.ContainsFunc(r.Left, func(l *extract.Remainder) bool {
			_, isIn := own.In(l.Address)
			return isIn || own.Equal(l.Address.Kind())
		})
	}
	if (b.IsNew || b.IsGone) && !isLeft(b.Address) && b.Item.Inner() == nil {
		t.Errorf("%s is new or gone\n%s\n%s", b.Address, r.Texts, leftOf(r))
	}
	for _, c := range b.Changes {
		if own := c.Address; !isLeft(own) && !c.Item.Rule.Unused {
			t.Errorf("%s is not the same\n%s\n%s", own, r.Texts, leftOf(r))
		}
	}
}

// printed are the lines of a module's effective configuration without layout and comments, in any
// order.
func printed(t *rapid.T, m *merge.Module) []string {
	t.Helper()
	text, diags := native.NewSorted(m)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var out bytes.Buffer
	_ = text.Write(&out)
	lines := mergetest.Meaning(t, out.String())
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line) // it may be in an escaping block
	}
	slices.Sort(lines) // blocks such as locals may be one or several
	return slices.DeleteFunc(slices.Compact(lines), func(line string) bool {
		return slices.Contains([]string{
			"_", "locals", "terraform", "required_providers", "lifecycle", "nullable = true", "sensitive = false", "ephemeral = false",
			"create_before_destroy = false", "prevent_destroy = false", // all of which mean nothing
		}, line)
	})
}

// TestSmallest takes every part out of an override once: BASE must not be EDITED then.
func TestSmallest(t *testing.T) {
	forEdits(t, func(t *rapid.T, e edit) {
		name := rapid.SampledFrom([]string{"z_override.tf", "z_override.tf.json"}).Draw(t, "name")
		r := e.found(t, extract.Options{Name: name})
		if bytes.Count(r.Texts[name], []byte("required_version = null")) > 1 {
			return // one would do, since null constrains nothing; EDITED has as many
		}
		left := map[string]bool{}
		for _, l := range r.Left {
			left[l.Address.String()] = true
		}
		eachWithout(r.Override, func(rest []*merge.Part, gone *merge.Part) {
			files := e.earlier()
			text, _ := rewrite.Made(r.Edited.Source, name, rest)
			files[name] = string(text)
			m, diags := e.merged(t, files)
			if diags.HasErrors() {
				return
			}
			want, _ := e.merged(t, e.edited)
			for _, d := range compare.Edits(m, want) {
				if !left[d.Address.String()] && len(d.Sides[0].Items)+len(d.Sides[1].Items) > 0 {
					return
				}
			}
			t.Errorf("%s can go from\n%s", gone.Item.Called(), r.Texts[name])
		})
	})
}

// eachWithout visits the parts without one of them, at every depth, and that one.
func eachWithout(parts []*merge.Part, visit func(rest []*merge.Part, gone *merge.Part)) {
	for i, p := range parts {
		visit(slices.Delete(slices.Clone(parts), i, i+1), p)
		eachWithout(p.Held, func(rest []*merge.Part, gone *merge.Part) {
			if gone.Item.Called() == "alias" {
				return
			}
			less := *p
			less.Held, less.IsPartial = rest, true
			list := slices.Clone(parts)
			list[i] = &less
			visit(list, gone)
		})
	}
}

// TestNothing makes sure that nothing comes of equal modules, nor of layout and comments.
func TestNothing(t *testing.T) {
	forEdits(t, func(t *rapid.T, e edit) {
		e.edited = e.base
		r := e.found(t, extract.Options{})
		if len(r.Texts)+len(r.Left)+len(r.Expressed) > 0 {
			t.Errorf("%s\n%s", r.Texts, leftOf(r))
		}
	})
}
