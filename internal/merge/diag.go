package merge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/source"
	"github.com/tofumerge/tofumerge/internal/load/spelling"
)

// Every message of the package, one function each.

// The codes of what merging warns of.
const (
	Conflicting   diag.Code = "conflicting"   // of several items the engine follows one
	Contradictory diag.Code = "contradictory" // of several items the engine follows one here, one there
	Clearing      diag.Code = "clearing"      // a block removes an argument by not having it
	DestroyTime   diag.Code = "destroy-time"  // a connection that a provisioner at destroy time can't have
	OneFileOnly   diag.Code = "one-file-only" // it matters only where all files are printed as one
)

func problem(sev hcl.DiagnosticSeverity, it source.Item, summary, format string, args ...any) *hcl.Diagnostic {
	return &hcl.Diagnostic{Severity: sev, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: it.Header().Ptr()}
}

func withPlace(d *hcl.Diagnostic, note string, it source.Item) *hcl.Diagnostic {
	return diag.WithRelated(diag.Related{Note: note, Range: it.Header()}, d)
}

func declaredTwice(m *merger, first *MergedItem, it source.Item) *hcl.Diagnostic {
	rule := first.Rule
	if rule.Duplicate == "" {
		rule = m.rules.byPath[it.Called()]
	}
	title := rule.Duplicate
	if b, ok := it.(*source.Block); ok && strings.Contains(title, "%q") {
		title = fmt.Sprintf(title, strings.Join(b.Labels[:min(1, len(b.Labels))], ""))
	}
	where := "twice in this file"
	if was := first.Live[0].Header(); was.Filename != it.Header().Filename {
		where = fmt.Sprintf("in %s already", diag.Escape(was.Filename))
	}
	d := problem(hcl.DiagError, it, title, "%s is declared %s. To change it, put this declaration into an override file; otherwise remove or rename one.", describe(first, rule), where)
	return withPlace(d, "the first declaration is here", first.Live[0])
}

// describe words what a merged item is, for the start of a sentence.
func describe(e *MergedItem, r *Rule) string {
	if r.Noun == "" {
		return fmt.Sprintf("The %s block", diag.Escape(e.Key.Name))
	}
	return fmt.Sprintf("The %s %s", r.Noun, diag.Escape(address(r, e.Key)))
}

func clashing(r *Rule, it, other source.Item) *hcl.Diagnostic {
	d := problem(hcl.DiagError, it, r.Clash, "A module has either a backend block or a cloud block in its primary files. Remove one of them; an override can't do that.")
	return withPlace(d, "the other one is here", other)
}

func secondInFile(r *Rule, it, first source.Item) *hcl.Diagnostic {
	d := problem(hcl.DiagError, it, r.Duplicate, "An override file may have one of these blocks at most; the engine would apply none of them. Keep one.")
	return withPlace(d, "the first one is here", first)
}

func missing(m *merger, c *MergedBody, r *Rule, k Key, it source.Item) *hcl.Diagnostic {
	addr := address(r, k)
	near, item := nearest(m, c, r, addr)
	hint := " Declare it in a primary file, or remove the override."
	if item != nil {
		hint = fmt.Sprintf(" Did you mean %s?", diag.Escape(near))
	}
	if r.Orphan == AddUnaliased {
		hint = " Only a default configuration, one without alias, can be added by an override file." + hint
	}
	d := problem(hcl.DiagError, it, r.Missing, "No primary file declares the %s %s, so there is nothing to override.%s", r.Noun, diag.Escape(addr), hint)
	if item != nil {
		diag.WithRelated(diag.Related{Note: "a similar name is declared here", Range: item.Header(), IsHint: true}, d)
	}
	return d
}

// maxHints is for how many missing names a run looks for similar ones.
const maxHints = 20

// nearest finds what the same rule declares under a similar name: its address
// and the item.
func nearest(m *merger, c *MergedBody, r *Rule, addr string) (string, source.Item) {
	if m.hints++; m.hints > maxHints {
		return "", nil
	}
	key := declaredBy{c, r}
	known, ok := m.similar[key]
	if !ok {
		known.items = candidates(m, c, r)
		known.names = slices.Sorted(maps.Keys(known.items))
		m.similar[key] = known
	}
	name := spelling.Nearest(addr, known.names)
	return name, known.items[name]
}

// A declaredBy is what a rule declares in a body.
type declaredBy struct {
	in   *MergedBody
	rule *Rule
}

// similar are items by address, and their addresses in order.
type similar struct {
	items map[string]source.Item
	names []string
}

// candidates lists what a rule declares in a body, by address.
func candidates(m *merger, c *MergedBody, r *Rule) map[string]source.Item {
	found := map[string]source.Item{}
	note := func(it source.Item) {
		if k, rule := c.key(it, false); rule == r {
			found[address(r, k)] = it
		}
	}
	if c == m.root {
		for _, f := range m.src.Files {
			for i := range f.Len() {
				if f.Role == source.Primary {
					note(f.Block(i))
				}
			}
		}
		for k, e := range m.homes {
			if c.rules.find(c.Path, k) == r {
				found[address(r, k)] = e.Live[0]
			}
		}
		return found
	}
	for _, p := range c.Parts {
		for _, it := range p.Body.Items {
			if it.Source().Role == source.Primary {
				note(it)
			}
		}
	}
	return found
}

func rejected(r *Rule, it source.Item) *hcl.Diagnostic {
	b, isBlock := it.(*source.Block)
	switch {
	case !isBlock:
		return problem(hcl.DiagError, it, r.Missing, "%q can't be set in an override file. Change it in the primary file.", it.Called())
	case b.Within() == nil:
		return problem(hcl.DiagError, it, r.Missing, "Blocks of type %s may stand in primary files only. Move this one there.%s", b.Type, r.scope())
	}
	return problem(hcl.DiagError, it, r.Missing, "A %s block can't stand in an override file; those of the primary file stay. Change or add them in the primary file.", b.Type)
}

func noEffect(r *Rule, it source.Item) *hcl.Diagnostic {
	return diag.WithCode(diag.NoEffect, problem(hcl.DiagWarning, it, "Override has no effect", "\"%s\" in this override does nothing. %s%s", diag.Escape(it.Called()), Outcome{Status: StatusNoEffect, Rule: r}.Why(), r.scope()))
}

func notSayable(r *Rule, it source.Item) *hcl.Diagnostic {
	return problem(hcl.DiagWarning, it, "Override can't be printed", "\"%s\": %s", diag.Escape(it.Called()), r.Why)
}

func keptEarlier(r *Rule, it, old source.Item) *hcl.Diagnostic {
	return withPlace(noEffect(r, it), "this stays in effect", old)
}

func givenTwice(it, first source.Item) *hcl.Diagnostic {
	d := diag.WithCode(diag.NoEffect, problem(hcl.DiagWarning, it, "Override has no effect", "\"%s\" is given twice in one block, once inside an escaping block. The one outside is taken; the engine reports an error as soon as it has the provider's schema. Remove one.", diag.Escape(it.Called())))
	return withPlace(d, "the one that is taken is here", first)
}

func cleared(e *MergedItem, by *source.Block) *hcl.Diagnostic {
	d := diag.WithCode(Clearing, problem(hcl.DiagWarning, by, "Override removes an argument", "The argument %q of %s is removed because this block has none; the engine fails for lack of it when it runs. Repeat the argument here.", e.Key.Name, dotted(parent(e.Path))))
	return withPlace(d, "it is set here", e.Live[0])
}

// mixed warns that two layers write one name as an argument and as blocks.
func mixed(e *MergedItem, it source.Item, attrStays bool) *hcl.Diagnostic {
	taken := "The argument is taken, the blocks are dropped."
	if attrStays {
		taken = "The earlier argument is taken, these blocks are dropped."
	}
	d := problem(hcl.DiagWarning, it, "Argument or nested block", "\"%s\" is written as an argument in one place and as a nested block in the other. Only the provider's schema tells which of them counts. %s Write both in the same way.", diag.Escape(e.Key.Name), taken)
	return withPlace(d, "it is written the other way here", e.Live[0])
}

// nothingOrValue warns of a JSON null or [] over what may be nested blocks.
func nothingOrValue(e *MergedItem, it source.Item, taken string) *hcl.Diagnostic {
	d := problem(hcl.DiagWarning, it, "Argument or nested block", "Where \"%s\" is a nested block, this value stands for no block, and the earlier ones stay; where it is an argument, the value replaces the earlier one. Only the provider's schema tells. %s Name the schema with --provider-schema FILE.", diag.Escape(e.Key.Name), taken)
	return withPlace(d, "the earlier one is here", e.Live[0])
}

func outranked(object, winner, loser *MergedItem) *hcl.Diagnostic {
	won, lost := dotted(winner.Path[len(object.Path)+1:]), dotted(loser.Path[len(object.Path)+1:])
	detail := fmt.Sprintf("The override brings %s and %s together in %s. The engine reports no error and follows %s; the other one is left out of the result. Remove the one that is not meant.", won, lost, diag.Escape(object.Address()), won)
	code, summary := Conflicting, "Conflicting repetition"
	if winner.Rule.Do == Drop {
		code, summary = Contradictory, "Contradictory repetition"
		detail = fmt.Sprintf("The override brings %s together with %s in %s. The engine contradicts itself here: it makes the instances that %s says, but references see those of %s. The result has %s only. Remove the one that is not meant.", lost, won, diag.Escape(object.Address()), won, lost, won)
	}
	d := diag.WithCode(code, problem(hcl.DiagWarning, loser.Live[0], summary, "%s", detail))
	return withPlace(d, "this one is followed", winner.Live[0])
}

// dotted is a path of the table as people write it.
func dotted(path string) string { return strings.ReplaceAll(path, "/", ".") }

func startsToCount(it source.Item, tofu source.Item) *hcl.Diagnostic {
	d := diag.WithCode(OneFileOnly, problem(hcl.DiagWarning, it, "Version constraint would start to count", "This required_version is in a .tf file, where the engine ignores it. The module also has one in a .tofu file, so the result counts only as a .tofu file, in which this one would start to count."))
	return withPlace(d, "this one counts", tofu)
}

func destroyConnection(conn, provisioner source.Item) *hcl.Diagnostic {
	d := diag.WithCode(DestroyTime, problem(hcl.DiagWarning, conn, "Connection of a destroy-time provisioner", "This connection refers to more than self, count.index and each.key, and the resource has a provisioner that runs at destroy time. The engine does not notice while they come from different blocks, but refuses the printed result. Refer to self only."))
	return withPlace(d, "the provisioner is here", provisioner)
}

func lacksConfig(action *source.Block) *hcl.Diagnostic {
	return problem(hcl.DiagWarning, action, "Action without a config block", "The engine can't read the action that this override makes, since not every block of it has a config block. Give each of them one, be it empty.")
}
