package gate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/discover"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/policy"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/replace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/workspace"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/writeback"
	"github.com/tofumerge/tofumerge/internal/load"
	"github.com/tofumerge/tofumerge/internal/load/diag"
	"github.com/tofumerge/tofumerge/internal/load/engine"
	"github.com/tofumerge/tofumerge/internal/load/input"
	"github.com/tofumerge/tofumerge/internal/merge/check"
	"github.com/tofumerge/tofumerge/internal/merge/deny"
	"github.com/tofumerge/tofumerge/internal/render/report"
	"github.com/tofumerge/tofumerge/internal/render/safetext"
	"github.com/tofumerge/tofumerge/internal/render/wording"
)

// The baseline of check: findings that existed when the gate was put up, which the report leaves out.
// Only a flag names it, never a file of the change under review. It never hides that the engine refuses
// a module: nobody knows what else is in that module.

// A BaselineFile holds the flags about the baseline.
type BaselineFile struct {
	Read, Write string // values of --baseline and --write-baseline

	root  string   // the directory to which names of modules are relative
	known Baseline // the findings in the file
	old   []byte   // the text of the file when it was read
}

// A baselinePart is the part of a baseline about one module.
type baselinePart struct {
	module   string            // its name in the baseline
	hidden   map[check.Key]int // the findings that the report leaves out, because the baseline has or gets them
	gone     map[check.Key]int // entries that match no finding any more
	isJudged bool              // all findings are known, because the engine accepts the module
}

// IsSet reports whether a flag names a baseline.
func (b *BaselineFile) IsSet() bool { return b.Read != "" || b.Write != "" }

// OpenBaseline refuses flags about the baseline that contradict each other, and reads the file into g.Baseline. It
// also reads a file that --write-baseline will replace, because that may hold findings of modules that this run
// doesn't inspect. readGiven and writeGiven tell whether --baseline and --write-baseline are on the command line,
// maybe with an empty value.
func (g *Gate) OpenBaseline(readGiven, writeGiven bool) error {
	if err := g.checkBaselineFlags(readGiven, writeGiven); err != nil {
		return err
	}
	b := &g.Baseline
	if !b.IsSet() {
		return nil
	}
	name := b.Read + b.Write // one of them is empty
	path := repo.In(g.ws.Base(), name)
	// Names of modules are relative to the root of the repository, so that a copy of the baseline means the same
	// anywhere. Without a repository, they are relative to the directory of the file.
	if b.root = repo.Root(repo.Absolute(repo.In(g.ws.Base(), "."))); !repo.IsRoot(b.root) {
		b.root = filepath.Dir(repo.Absolute(path))
	}
	b.root = repo.Real(b.root)
	if b.Write != "" {
		if err := b.checkTarget(path); err != nil {
			return err
		}
	}
	return g.readBaseline(name, path)
}

// checkBaselineFlags refuses flags about the baseline that contradict each other or other flags. readGiven and
// writeGiven tell whether --baseline and --write-baseline are on the command line.
func (g *Gate) checkBaselineFlags(readGiven, writeGiven bool) error {
	b := &g.Baseline
	switch {
	case readGiven && writeGiven:
		return errors.New("--write-baseline writes the file that --baseline reads; use only one of them")
	case readGiven && b.Read == "":
		return errors.New("--baseline needs the name of a file that --write-baseline wrote")
	case writeGiven && (b.Write == "" || b.Write == "-"):
		return errors.New("--write-baseline needs the name of a file")
	case writeGiven && len(g.Filter)+len(g.Select) > 0:
		return errors.New("--write-baseline records all findings; leave out --filter and --select")
	case writeGiven && g.ws.IsWhatIf():
		return errors.New("--write-baseline records the real files; leave out --overlay and --exclude-override")
	case b.IsSet() && g.OnlyNew != nil:
		return errors.New("--only-new and a baseline both hide known findings; use only one of them")
	}
	return nil
}

// readBaseline reads the baseline at path, or in the revision of --config-from, into g.Baseline: the text into old
// and the findings into known. No findings are known if the revision has no baseline, or if the file of
// --write-baseline is missing or empty. name is the file as the flag names it.
func (g *Gate) readBaseline(name, path string) error {
	b := &g.Baseline
	text, isOfRevision, err := g.baselineText(name, path)
	if err != nil {
		return err
	}
	b.old = text
	mayBeEmpty := isOfRevision && len(text) == 0 || b.Write != ""
	if mayBeEmpty && len(bytes.TrimSpace(text)) == 0 {
		b.known = Baseline{}
		return nil
	}
	if b.known, err = ParseBaseline(text); err != nil {
		wrong := (*BaselineError)(nil)
		errors.As(err, &wrong)
		remedy := "fix the baseline, or remove it and write it again with --write-baseline"
		if b.Write != "" {
			remedy = "--write-baseline overwrites only baselines"
		}
		// People open FILE:LINE, so FILE starts at the working directory, unlike name, which may start at --chdir.
		return fmt.Errorf("%s:%d: %s; %s", diag.Escape(repo.FromHere(path)), wrong.Line, wrong.Why, remedy)
	}
	return nil
}

// baselineText returns the text of the baseline at path, and whether it comes from the revision of --config-from. The
// text is empty if the revision has no baseline, or if --write-baseline makes the file. name is the file as the flag
// names it.
func (g *Gate) baselineText(name, path string) (text []byte, isOfRevision bool, err error) {
	if text, isOfRevision, err = g.baselineAtRevision(path); err != nil || isOfRevision {
		return text, isOfRevision, err
	}
	text, err = input.Read(path, MaxBaseline)
	switch isMissing := errors.Is(err, fs.ErrNotExist); {
	case isMissing && g.Baseline.Write != "":
		return nil, false, nil
	case isMissing:
		return nil, false, fmt.Errorf("can't read --baseline %s: no such file; to write it, run: tofumerge check -r . --write-baseline %s",
			diag.Escape(name), diag.Escape(name))
	case err != nil:
		return nil, false, fmt.Errorf("can't read the baseline %s: %w", diag.Escape(name), input.StripPath(err))
	}
	return text, false, nil
}

// checkTarget refuses to write a baseline to a file that would be read as something else, or through a link
// that may be part of a change under review.
func (b *BaselineFile) checkTarget(path string) error {
	name := filepath.Base(path)
	if list := load.Classify([]string{name}, engine.Default()); len(list) > 0 && list[0].Status != load.Ignored {
		return fmt.Errorf("--write-baseline %s would become part of a module; write to a name that ends in .json, "+
			"but not in .tf.json or .tofu.json", diag.Escape(b.Write))
	}
	if what := writeback.ReadAs(path, filepath.Dir(path), policy.FileName); what != "" {
		return fmt.Errorf("--write-baseline %s would be read as %s of a module; write to another name",
			diag.Escape(b.Write), what)
	}
	// IsForeignLink refuses a link in any part of the path that leaves the innermost repository. EscapesRepo, for a
	// file that is a link itself, goes by the repository of the working directory or else the outermost one. Without
	// a repository, it refuses a link out of the directory, and anywhere a broken one.
	info, err := os.Lstat(path)
	isEscapingLink := err == nil && info.Mode()&fs.ModeSymlink != 0 && repo.EscapesRepo(path)
	if writeback.IsForeignLink(path) || isEscapingLink {
		return fmt.Errorf("--write-baseline %s is a link that points outside the repository or into .git; write to a file",
			diag.Escape(b.Write))
	}
	return nil
}

// CheckSubjects refuses to record a module of which only some files are judged.
func (b *BaselineFile) CheckSubjects(targets []*workspace.Subject) error {
	for _, t := range targets {
		if b.Write != "" && t.Files != nil {
			return fmt.Errorf("--write-baseline records whole modules; name the directory %s, not its files", diag.Escape(t.Dir))
		}
	}
	return nil
}

// hideKnown returns the findings of a module that the report shows, without those in the baseline. part counts the
// hidden ones, and the entries that are gone; it is nil without a baseline. With --write-baseline, hideKnown hides
// all findings, because they become known, unless the engine refuses the module. want is the policy, which tells what
// entries this run could have found.
func (g *Gate) hideKnown(in *Inspection, want *policy.Policy) (found []check.Finding, part *baselinePart) {
	b, t := &g.Baseline, in.Subject
	if !b.IsSet() {
		return in.Found, nil
	}
	target := repo.Real(repo.In(g.ws.Base(), t.Dir))
	rel, err := filepath.Rel(b.root, target)
	if err != nil {
		rel = target
	}
	refusals, others := workspace.Part(in.Found, func(f check.Finding) bool { return f.IsRefusal() })
	part = &baselinePart{
		module:   strings.ToValidUTF8(baselineModule(filepath.ToSlash(rel)), "\ufffd"),
		hidden:   check.Counts(others), // all, for now
		isJudged: len(refusals) == 0,   // an error may keep check from finding the rest
	}
	if b.Write != "" && part.isJudged {
		return nil, part
	}
	unknown, gone := check.Unknown(others, b.known[part.module])
	// Subtract the unknown findings, which the report shows: those in the baseline remain hidden.
	for k, n := range check.Counts(unknown) {
		if part.hidden[k] -= n; part.hidden[k] == 0 {
			delete(part.hidden, k)
		}
	}
	// An entry without a finding is gone, unless this run couldn't have found it: its rule may be off.
	maps.DeleteFunc(gone, func(k check.Key, _ int) bool { return !want.CouldFind(k, t.IsAbout(k)) })
	part.gone = gone
	found = append(refusals, unknown...)
	check.Sort(in.Module, found)
	return found, part
}

// applyBaseline adds the number of hidden findings to a report. With --write-baseline, it then writes the
// file. Otherwise, it reports the entries that match no finding any more. walked are the directories that the
// run searched.
func (g *Gate) applyBaseline(doc *report.Report, results []ModuleReport, walked []string) error {
	b := &g.Baseline
	if !b.IsSet() {
		return nil
	}
	for _, r := range results {
		if r.inBaseline != nil {
			for _, n := range r.inBaseline.hidden {
				doc.Counts.Baseline += n
			}
		}
	}
	if b.Write != "" {
		return g.writeBaseline(results, walked)
	}
	if g.ws.IsWhatIf() {
		return nil // entries may be missing only because of --overlay or --exclude-override
	}
	// Entries are gone if no finding matches them, or if their module was removed.
	gone := Baseline{}
	for _, r := range results {
		if r.inBaseline != nil && r.inBaseline.isJudged {
			gone.Add(r.inBaseline.module, r.inBaseline.gone)
		}
	}
	for _, module := range g.removedModules(results, walked) {
		gone.Add(module, b.known[module])
	}
	doc.Stale = []report.StaleRecord{}
	eachKey(gone, func(module string, k check.Key, n int) {
		doc.Stale = append(doc.Stale, report.StaleRecord{
			Module: module, Rule: k.Rule, Address: k.Address, File: k.File, Text: k.Text, Count: n,
		})
	})
	g.warnOfStale(gone)
	return nil
}

// removedModules returns the modules of the baseline whose directories hold no module any more, so that their
// entries can go. It considers only directories within walked, which the run searched. A directory that the
// run skipped still exists, and stays.
func (g *Gate) removedModules(results []ModuleReport, walked []string) (list []string) {
	isInspected := map[string]bool{}
	for _, r := range results {
		if r.inBaseline != nil {
			isInspected[r.inBaseline.module] = true
		}
	}
	for module := range g.Baseline.known {
		dir := filepath.Join(g.Baseline.root, filepath.FromSlash(module))
		isIn := func(root string) bool { return repo.IsWithin(dir, root) }
		if !isInspected[module] && slices.ContainsFunc(walked, isIn) && !discover.MayHoldModule(dir) {
			list = append(list, module)
		}
	}
	return list
}

// WalkedBy returns the real paths of the directories that a run with these arguments searches for modules;
// nil without -r.
func (g *Gate) WalkedBy(args []string) (walked []string) {
	if !g.Recursive {
		return nil
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	for _, path := range args {
		walked = append(walked, repo.Real(repo.In(g.ws.Base(), path)))
	}
	return walked
}

// eachKey calls visit with each entry of a baseline, in the order of the file. n is the number of findings
// with the key k.
func eachKey(b Baseline, visit func(module string, k check.Key, n int)) {
	for _, module := range slices.Sorted(maps.Keys(b)) {
		for _, k := range sortedKeys(b[module]) {
			visit(module, k, b[module][k])
		}
	}
}

// maxStale is the maximum number of stale entries that are listed.
const maxStale = 10

// warnOfStale warns of the baseline entries in gone, which match no finding any more. If such a finding came
// back, the entry would hide it. It lists the first maxStale of them.
func (g *Gate) warnOfStale(gone Baseline) {
	if len(gone) == 0 || g.ws.Quiet {
		return
	}
	occur, it := "occurs", "it"
	if gone.Len() > 1 {
		occur, it = "occur", "them"
	}
	g.ws.Warn(fmt.Sprintf("%s in the baseline %s no longer %s; to remove %s, use --write-baseline",
		wording.Count(gone.Len(), "finding"), diag.Escape(g.Baseline.Read), occur, it))
	listed, left := 0, 0 // entries met so far; findings of those that aren't listed
	eachKey(gone, func(module string, k check.Key, n int) {
		if listed++; listed > maxStale {
			left += n
			return
		}
		g.ws.Tell(fmt.Sprintf("  %s: %s [%s]", diag.Escape(module), diag.Escape(cmp.Or(k.Address, k.File)), diag.Escape(k.Rule)))
	})
	if left > 0 {
		g.ws.Tell(fmt.Sprintf("  … %d more", left))
	}
}

// writeBaseline writes the findings of the inspected modules to the baseline. It keeps the entries of modules
// that this run didn't inspect or that the engine refuses now, and drops those of removed modules.
func (g *Gate) writeBaseline(results []ModuleReport, walked []string) error {
	b := &g.Baseline
	next := maps.Clone(b.known)
	if next == nil {
		next = Baseline{}
	}
	for _, module := range g.removedModules(results, walked) {
		delete(next, module)
	}
	recorded, modules := 0, 0
	for _, r := range results {
		if r.inBaseline == nil || !r.inBaseline.isJudged { // unread or refused: not all its findings are known
			continue
		}
		// The findings of this run replace the entries of an inspected module.
		delete(next, r.inBaseline.module)
		next.Add(r.inBaseline.module, r.inBaseline.hidden)
		if len(r.inBaseline.hidden) > 0 {
			modules++
		}
		for _, n := range r.inBaseline.hidden {
			recorded += n
		}
	}
	if text := next.Text(); !bytes.Equal(text, b.old) {
		if err := b.replace(repo.In(g.ws.Base(), b.Write), text, replace.Options{Warn: g.ws.Warn}); err != nil {
			return err
		}
	}
	g.ws.Note(fmt.Sprintf("%s holds %s of %s", diag.Escape(b.Write), wording.Count(recorded, "finding"),
		wording.Count(modules, "module")))
	return nil
}

// replace writes text to the baseline at path. It refuses to if the file has changed since it was read,
// because another run may have added its modules.
func (b *BaselineFile) replace(path string, text []byte, opts replace.Options) error {
	now, err := input.Read(path, MaxBaseline)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("can't read the baseline %s: %w", diag.Escape(b.Write), input.StripPath(err))
	}
	if !bytes.Equal(now, b.old) {
		return fmt.Errorf("%s changed while check ran, so nothing was written; run check again", diag.Escape(b.Write))
	}
	out, err := replace.FindOutput(path)
	if err != nil {
		return err
	}
	return out.Write(text, opts)
}

// MaxBaseline is the maximum size of a baseline in bytes.
const MaxBaseline = 64 << 20

// version is the version of the format. Its first number changes if older programs would misread the file.
const version = "1.0"

// A Baseline holds the number of known findings of each module, by the path of its directory with slashes.
type Baseline map[string]map[check.Key]int

// An entry is a finding as the file holds it, on one line.
type entry struct {
	Module string `json:"module"`
	check.Key
	Count int `json:"count,omitempty"` // left out if it is 1
}

// Add adds the findings of a module, counted by key.
func (b Baseline) Add(module string, counts map[check.Key]int) {
	for k, n := range counts {
		if b[module] == nil {
			b[module] = map[check.Key]int{}
		}
		b[module][k] += n
	}
}

// Len returns the number of findings in all modules.
func (b Baseline) Len() int {
	n := 0
	for _, counts := range b {
		for _, count := range counts {
			n += count
		}
	}
	return n
}

// sortedKeys returns the keys of a module's findings in the order of the file, so that its text is always the
// same.
func sortedKeys(counts map[check.Key]int) []check.Key {
	return slices.SortedFunc(maps.Keys(counts), func(a, b check.Key) int {
		return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.File, b.File), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Text, b.Text))
	})
}

// Text returns the baseline as JSON, sorted, with one finding on each line. The same findings always make the
// same text.
func (b Baseline) Text() []byte {
	var out bytes.Buffer
	out.WriteString("{\n  \"format_version\": \"" + version + "\",\n  \"findings\": [")
	separator := "\n" // before the next entry
	for _, module := range slices.Sorted(maps.Keys(b)) {
		for _, k := range sortedKeys(b[module]) {
			e := entry{Module: module, Key: k}
			if n := b[module][k]; n > 1 {
				e.Count = n
			}
			text, _ := safetext.JSON(e, "") // can't fail for text and numbers
			out.WriteString(separator + "    " + string(bytes.TrimSuffix(text, []byte("\n"))))
			separator = ",\n"
		}
	}
	if separator != "\n" { // there are entries
		out.WriteString("\n  ")
	}
	out.WriteString("]\n}\n")
	return out.Bytes()
}

// baselineModule returns the name of a module in a baseline: its directory in the shortest form, so that ./a
// and a are the same.
func baselineModule(dir string) string { return path.Clean(dir) }

// A BaselineError describes a mistake in a baseline. It quotes only names of the format, so it is safe to
// print.
type BaselineError struct {
	Line int
	Why  string
}

// Error returns the mistake with its line; it doesn't know the name of the file.
func (e *BaselineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Why) }

// maxCount is the maximum count of an entry.
const maxCount = 1_000_000

// ParseBaseline reads the text of a baseline. It adds up entries that occur twice, as after a merge of two
// branches. The error is a *BaselineError.
func ParseBaseline(text []byte) (Baseline, error) {
	var file struct {
		Version  string            `json:"format_version"`
		Findings []json.RawMessage `json:"findings"`
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errorAt(text, 0, "the file is empty")
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, malformed(text, 0, err)
	}
	major, _, _ := strings.Cut(file.Version, ".")
	switch n, _ := strconv.Atoi(major); { // 0 for what isn't a number
	case file.Version == "":
		return nil, errorAt(text, 0, "format_version is missing, so this isn't a baseline")
	case n < 1:
		return nil, errorAt(text, bytes.Index(text, []byte("format_version")), "format_version must look like "+strconv.Quote(version))
	case n > 1:
		return nil, errorAt(text, bytes.Index(text, []byte("format_version")), "a newer tofumerge wrote this baseline; use that one")
	}
	// at is the offset of the current entry, for the line in errors.
	found, at := Baseline{}, max(0, bytes.Index(text, []byte(`"findings"`)))
	for _, line := range file.Findings {
		at += bytes.Index(text[at:], line) // the raw entry is a part of text
		e := entry{Count: 1}
		err := json.Unmarshal(line, &e)
		switch {
		case err != nil:
			return nil, malformed(text, at, err)
		case e.Module == "":
			return nil, errorAt(text, at, "a finding needs a module")
		case e.Rule == "" || e.Text == "":
			return nil, errorAt(text, at, "a finding needs a rule and a text")
		case e.Count < 1 || e.Count > maxCount:
			return nil, errorAt(text, at, fmt.Sprintf("a count must be between 1 and %d", maxCount))
		}
		found.Add(baselineModule(e.Module), map[check.Key]int{e.Key: e.Count})
		at += len(line)
	}
	return found, nil
}

// malformed turns an error of encoding/json, about broken JSON or a value of the wrong type, into a
// *BaselineError with a line. at is the offset in text at which the decoded part begins: offsets in err count
// from there.
func malformed(text []byte, at int, err error) error {
	var typed *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &typed):
		what := "a value has the wrong type"
		if name := typed.Field[strings.LastIndexByte(typed.Field, '.')+1:]; name != "" { // "" at the top
			what += ": " + name
		}
		return errorAt(text, at+int(typed.Offset), what)
	case errors.As(err, &syntax):
		at += int(syntax.Offset) - 1 // Offset counts the bytes read, including the wrong one
	}
	switch {
	case at+1 >= len(text):
		return errorAt(text, len(text), "the JSON ends too early")
	case bytes.HasPrefix(text[at:], []byte("<<<<<<<")): // git's marker of a conflict
		return errorAt(text, at, "unresolved merge conflict; keep the lines of both sides")
	}
	return errorAt(text, at, "this is not valid JSON")
}

// errorAt returns a *BaselineError with the line of the offset at in text.
func errorAt(text []byte, at int, why string) error {
	return &BaselineError{Line: 1 + bytes.Count(text[:min(at, len(text))], []byte("\n")), Why: why}
}

// Findings of check that a revision did not have.
//
// Both modules are judged by the present engine, flags and settings files, so a rule that is
// switched on reports only new findings. Comments that ignore rules apply in their own version:
// removing one shows the finding. The change under review can't influence the earlier findings.

// keepOnlyNew implements --only-new. From in.Found and in.leftOut, it removes the findings that the module already
// had at that revision; to find these, it judges the earlier module by the present policy. To in.Found, it adds
// findings about comments that the revision lacks, and new ones that an old comment silences (see unsilence).
func (g *Gate) keepOnlyNew(in *Inspection, want *policy.Policy) error {
	if g.OnlyNew == nil {
		return nil
	}
	past, err := g.ws.Past(in.Subject.Dir, *g.OnlyNew)
	hasFindings := len(in.Found)+len(in.leftOut)+len(in.Ignores.Silenced) > 0
	hasComments := in.Ignores.comments != nil && in.Ignores.comments.Len() > 0
	switch {
	case err != nil: // a revision that isn't there is an error even if nothing was found
		return err
	case !hasFindings && !hasComments:
		return nil
	case past.From == nil: // the revision lacks the directory, so everything is new
		in.addNewIgnores(&check.Comments{}, g.OnlyNew, want)
		return nil
	}
	// The same files in the same directory have the same findings.
	wasRenamed := past.Now != ""
	if !wasRenamed && in.Module.Source.IsSameAs(past.From, in.Options.MaxFileSize) {
		in.Found = nil
		clear(in.leftOut)
		return nil
	}
	earlier, err := workspace.LoadFrom(in.Module.Source.Dir, past, in.Options)
	if err != nil {
		return err
	}
	if err := checkReadable(earlier.Diags, past); err != nil {
		return err
	}
	known, earlierTotals := g.judge(earlier.Module, earlier.Diags, in.Subject, want, false) // false: all are compared
	// Under its earlier name, another policy may have applied, which denied less.
	if wasRenamed {
		known = slices.DeleteFunc(known, isDenied)
	}
	unknown, gone := unknownTo(known, in.Found)
	in.Found = unknown
	// A silenced finding is known if it was silenced before, or if it was shown before and isn't now (gone): then a
	// comment may silence it now.
	knownSilenced := append(gone, earlierTotals.Ignores.Silenced...)
	in.unsilence(knownSilenced, earlierTotals.Ignores.comments, diag.Escape(g.OnlyNew.String()))
	for by, list := range in.leftOut {
		in.leftOut[by], _ = unknownTo(earlierTotals.leftOut[by], list)
	}
	in.addNewIgnores(earlierTotals.Ignores.comments, g.OnlyNew, want)
	return nil
}

// checkReadable returns an error if a file of an earlier module can't be read: without that file, old findings would
// appear new. diags are the module's, and past is its directory.
func checkReadable(diags hcl.Diagnostics, past *workspace.PastDir) error {
	for _, d := range diags {
		if diag.CodeOf(d) == diag.Unreadable && d.Subject != nil {
			return fmt.Errorf("can't compare with %s: %s: %s", diag.Escape(past.Label()), diag.Escape(d.Subject.Filename), d.Detail)
		}
	}
	return nil
}

// unsilence moves new findings that an old comment silences by accident to in.Found. For example, a comment for a
// whole file was written for the findings of that time, and mustn't hide one that the change adds. A comment at the
// new finding's own item still silences it. known are the earlier revision's findings that were silenced or are no
// longer shown: their counterparts aren't new. earlier are its comments, and revision is its name in messages.
func (in *Inspection) unsilence(known []check.Finding, earlier *check.Comments, revision string) {
	var silenced []check.Finding
	for i, counterpart := range check.Pairs(in.Ignores.Silenced, known, keyInItsFile, keyInAnyFile) {
		f := in.Ignores.Silenced[i]
		isNew := counterpart < 0
		if isNew && in.Ignores.comments.Reveal(&f, earlier, revision) { // Reveal adds the reason to the message
			in.Found = append(in.Found, f)
		} else {
			silenced = append(silenced, f)
		}
	}
	in.Ignores.Silenced = silenced
}

// unknownTo pairs the findings in found with those in known. It returns the findings in found without a counterpart
// (unknown), and those in known without one (gone). If several have the same text, those in the same file pair first.
// Findings about denied items are compared by hashes of what they deny, and are never in gone.
func unknownTo(known, found []check.Finding) (unknown, gone []check.Finding) {
	denied, others := workspace.Part(found, isDenied)
	knownDenied, knownOthers := workspace.Part(known, isDenied)
	isFound := make([]bool, len(knownOthers))
	for i, counterpart := range check.Pairs(others, knownOthers, keyInItsFile, keyInAnyFile) {
		if counterpart < 0 { // nothing matches
			unknown = append(unknown, others[i])
		} else {
			isFound[counterpart] = true
		}
	}
	for i, f := range knownOthers {
		if !isFound[i] {
			gone = append(gone, f)
		}
	}
	return append(unknown, deny.Unknown(denied, knownDenied)...), gone
}

// keyInItsFile returns the key by which two states of a module share a finding that stayed in its file.
func keyInItsFile(f check.Finding) exactKey {
	return exactKey{check.KeyOf(f), f.Range.Filename, textOf(f)}
}

// keyInAnyFile returns the key by which two states share a finding that may have moved to another file.
func keyInAnyFile(f check.Finding) exactKey { return exactKey{check.KeyOf(f), "", textOf(f)} }

// isDenied reports whether a finding is about something that a policy denies.
func isDenied(f check.Finding) bool { return f.Rule.ID == check.DeniedOverride.ID }

// An exactKey is equal for findings that are the same in two states of a module.
type exactKey struct {
	check.Key
	file, text string
}

// textOf returns the message of a finding without an address, apart from line numbers: nothing else
// distinguishes such findings in a file. For a finding with an address, it returns "".
func textOf(f check.Finding) string {
	if !f.Address.IsEmpty() {
		return ""
	}
	return check.WithoutLines(f.Message)
}
