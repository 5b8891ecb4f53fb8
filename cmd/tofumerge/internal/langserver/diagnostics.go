package langserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/feature"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/repo"
)

// Which diagnostics the client has. Two modules may report on one document, such as a settings
// file above both.

// A publication holds the published diagnostics of a document.
type publication struct {
	byModule map[*module][]protocol.Diagnostic // from each module that reports on it
	version  *int32                            // as it was published; nil if the document wasn't open
	list     []protocol.Diagnostic             // as it was published; nil before
}

// A docReport holds the diagnostics of a document.
type docReport struct {
	version *int32 // nil if the document isn't open
	list    []protocol.Diagnostic
}

// reportDiagnostics gives the client the reports on a module's documents. It publishes those that the client doesn't
// ask for, and makes the client ask again if others changed. A document that lost its diagnostics gets an empty
// report. The server is locked.
func (m *module) reportDiagnostics(reports map[protocol.DocumentURI]docReport) {
	s := m.server
	// A document that had diagnostics, and has no report now, gets an empty one.
	for uri, before := range m.reported {
		if _, isStill := reports[uri]; !isStill && len(before.list) > 0 && !m.belongsToAnother(uri) {
			reports[uri] = docReport{}
		}
	}
	// push gets the reports to publish. hasNews is set if the client must ask for any of the others.
	push, hasNews := map[protocol.DocumentURI]docReport{}, false
	for uri, report := range reports {
		// The client asks about each open document. It gets a closed one as related to these, or with the workspace.
		isOpen := report.version != nil
		isPulled := s.pulls() && (isOpen || s.takesRelated() || s.survey.isAsked)
		if !isPulled {
			push[uri] = report
			continue
		}
		before := m.reported[uri]
		// The client asks by itself about a version that is new to it.
		isNewVersion := isOpen && (before.version == nil || *before.version != *report.version)
		hasNews = hasNews || !isNewVersion && !reflect.DeepEqual(before.list, report.list)
	}
	m.reported = reports
	s.publishAll(m, push)
	if hasNews {
		s.askAgain()
	}
}

// publishAll publishes all reports of a module, and takes back its diagnostics of documents that are not in all. The
// server is locked.
func (s *server) publishAll(m *module, all map[protocol.DocumentURI]docReport) {
	for uri, p := range s.published {
		if _, isStill := all[uri]; !isStill && p.has(m) {
			s.publish(m, uri, docReport{})
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(all)) {
		s.publish(m, uri, all[uri])
	}
}

// publish publishes a module's report on a document, together with the reports of other modules on it, unless the
// client has the same already. An empty list is published, too, if the document is open and its version is new. The
// report has no version (nil) if the document is closed, or open in another module: then the version published last
// stays. The server is locked.
func (s *server) publish(m *module, uri protocol.DocumentURI, now docReport) {
	p := s.published[uri]
	isNothing := len(now.list) == 0 && now.version == nil // the module has nothing more to say about the document
	switch {
	case p == nil && isNothing:
		return
	case p == nil:
		p = &publication{byModule: map[*module][]protocol.Diagnostic{}}
		s.published[uri] = p
	}
	// Publish what all modules report, if that differs from the last time.
	p.byModule[m] = now.list
	list, version := p.allDiagnostics(), now.version
	if m.belongsToAnother(uri) {
		version = p.version // only the document's own module knows it
	}
	// A new publication has no list, so it differs from any.
	isSame := p.list != nil && reflect.DeepEqual(p.version, version) && reflect.DeepEqual(p.list, list)
	p.list, p.version = list, version
	// A module with nothing to say counted only for this list: forget it, and with the last one the publication.
	if isNothing {
		delete(p.byModule, m)
	}
	if len(p.byModule) == 0 {
		delete(s.published, uri)
	}
	if !isSame {
		s.notify("textDocument/publishDiagnostics", protocol.PublishDiagnosticsParams{URI: uri, Version: version, Diagnostics: list})
	}
}

// has reports whether a module contributed to a publication. An empty list counts, too: it goes with the version of
// an open document.
func (p *publication) has(m *module) bool {
	_, ok := p.byModule[m]
	return ok
}

// allDiagnostics returns the diagnostics of all modules for the document, in the order of the modules' keys. A
// diagnostic that several modules have comes once.
func (p *publication) allDiagnostics() []protocol.Diagnostic {
	list := []protocol.Diagnostic{}
	modules := slices.SortedFunc(maps.Keys(p.byModule), func(a, b *module) int { return strings.Compare(a.key, b.key) })
	for i, m := range modules {
		if i == 0 {
			list = append(list, p.byModule[m]...)
			continue
		}
		for _, d := range p.byModule[m] {
			if !slices.ContainsFunc(list, func(other protocol.Diagnostic) bool { return reflect.DeepEqual(d, other) }) {
				list = append(list, d)
			}
		}
	}
	return list
}

// diagnosticsOf returns the diagnostics of a view by document. Those without a file are shown in moduleDocument.
func diagnosticsOf(v *view.View) map[protocol.DocumentURI][]protocol.Diagnostic {
	all := map[protocol.DocumentURI][]protocol.Diagnostic{}
	for name, list := range feature.Diagnostics(v) {
		uri := v.URI(name)
		if name == "" {
			uri = moduleDocument(v)
		}
		all[uri] = append(all[uri], list...)
	}
	return all
}

// moduleDocument returns the document that shows diagnostics about the module as a whole: the first one
// that is open, or else the directory.
func moduleDocument(v *view.View) protocol.DocumentURI {
	for _, name := range slices.Sorted(maps.Keys(v.Open)) {
		return v.Open[name]
	}
	return v.URI("")
}

// Pull diagnostics. If the client asks for diagnostics, the server publishes none about open
// documents, and none at all if the client supports related documents.

// pulls reports whether the client asks for diagnostics. A client that can't refresh them doesn't
// qualify: it would show old ones after a change of another file.
func (s *server) pulls() bool {
	return s.client.TextDocument.Diagnostic != nil && s.client.Workspace.Diagnostics.RefreshSupport
}

// takesRelated reports whether an answer may have the diagnostics of other documents also.
func (s *server) takesRelated() bool {
	return s.pulls() && s.client.TextDocument.Diagnostic.RelatedDocumentSupport
}

// diagnostic answers with the diagnostics of a document. It adds those of the other documents of its module, if the
// client takes them and doesn't ask for the whole workspace.
func (s *server) diagnostic(p protocol.DocumentDiagnosticParams) (answer, error) {
	w := s.requestSnapshot(p.Document())
	w.isWhole = true // an edit while it waits doesn't fail the request
	return func(ctx context.Context, t *turn) (any, error) {
		now, err := w.wait(ctx, t)
		if err != nil {
			return nil, err
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if now == nil { // the document is in no module
			return reportOf(nil, p.PreviousResultID), nil
		}
		reported := w.module.reported
		report := reportOf(reported[p.Document()].list, p.PreviousResultID)
		for uri, other := range reported {
			if uri != p.Document() && s.takesRelated() && !s.survey.isAsked {
				if report.RelatedDocuments == nil {
					report.RelatedDocuments = map[protocol.DocumentURI]protocol.DocumentDiagnosticReport{}
				}
				report.RelatedDocuments[uri] = reportOf(other.list, "") // in full: the request has no ids for these
			}
		}
		return report, nil
	}, nil
}

// reportOf makes a report for a client that asks. previous is the id of the report that the client has, or "". If
// nothing changed since, the new report holds only the id.
func reportOf(list []protocol.Diagnostic, previous string) protocol.DocumentDiagnosticReport {
	if list == nil {
		list = []protocol.Diagnostic{}
	}
	sum := fnv.New64a()
	_ = json.NewEncoder(sum).Encode(list)
	id := fmt.Sprintf("%x", sum.Sum64())
	if id == previous {
		return protocol.DocumentDiagnosticReport{Kind: protocol.UnchangedReport, ResultID: id}
	}
	return protocol.DocumentDiagnosticReport{Kind: protocol.FullReport, ResultID: id, Items: &list}
}

// Diagnostics of the whole workspace. The answer covers every module with override files below the
// folders, and every module with an open document. Modules without open documents are analysed one
// after another. Their diagnostics are kept until a file changes that may matter.

// A survey holds the state of modules without open documents. It is guarded by the mutex of the
// server.
type survey struct {
	turn    semaphore // held while the one answer is made
	isAsked bool      // the client has asked for the whole workspace
	epoch   int       // number of invalidations so far: a result is kept only if it didn't change meanwhile
	// dirs holds the modules below each folder. It is nil after any file appeared or disappeared.
	dirs  map[protocol.DocumentURI][]string
	found map[string]map[protocol.DocumentURI][]protocol.Diagnostic // the diagnostics of modules, by directory
	again *time.Timer                                               // see settingsChanged; nil before the first one
}

// invalidateSurvey forgets which modules there are, and the diagnostics of modules that a changed file may affect.
// The server is locked.
func (s *server) invalidateSurvey(path string) {
	s.survey.dirs = nil
	s.invalidateDiagnostics(path)
}

// invalidateDiagnostics forgets the diagnostics of modules without open documents that a changed file may affect. The
// server is locked.
func (s *server) invalidateDiagnostics(path string) {
	mayAffect := s.affectedBy(path)
	s.survey.epoch++
	maps.DeleteFunc(s.survey.found, func(at string, _ map[protocol.DocumentURI][]protocol.Diagnostic) bool {
		return mayAffect(at)
	})
}

// surveyAgain forgets which modules there are, and makes the client ask again if it asks for the workspace
// at all. The server is locked.
func (s *server) surveyAgain() {
	s.survey.dirs = nil
	s.survey.epoch++
	if s.survey.isAsked {
		s.askAgain()
	}
}

// A workspaceAnswer is the answer to workspace/diagnostic while it is put together.
type workspaceAnswer struct {
	server   *server
	token    any                             // nil if the client takes no partial results
	previous map[protocol.DocumentURI]string // the results that the client has
	done     map[protocol.DocumentURI]bool   // documents that the answer has a report on
	seen     map[*module]bool                // modules with open documents that it reports on
	// shared holds the diagnostics of files outside of their modules, such as settings files,
	// on which several modules may report.
	shared map[protocol.DocumentURI][]protocol.Diagnostic
	items  []protocol.WorkspaceDocumentDiagnosticReport // not sent yet
}

// workspaceDiagnostic answers workspace/diagnostic: first with the modules that have open documents, then with the
// others below the folders, and then with shared files. Last come empty reports on documents that have no diagnostics
// any more. One answer is made at a time.
func (s *server) workspaceDiagnostic(p protocol.WorkspaceDiagnosticParams) (answer, error) {
	a := &workspaceAnswer{
		server: s, token: p.PartialResultToken, previous: map[protocol.DocumentURI]string{},
		done: map[protocol.DocumentURI]bool{}, seen: map[*module]bool{}, shared: map[protocol.DocumentURI][]protocol.Diagnostic{},
	}
	// Note what the client has, and which modules have open documents, before the next message is handled.
	for _, have := range p.PreviousResultIDs {
		a.previous[have.URI] = have.Value
	}
	open, unplaced := s.startSurvey(), s.allUnplaced() // unplaced: documents whose modules aren't known yet
	return func(ctx context.Context, _ *turn) (any, error) {
		if err := s.survey.turn.acquire(ctx); err != nil {
			return nil, err
		}
		defer s.survey.turn.release()
		defer s.progress("Checking the workspace")()
		if err := waitPlaced(ctx, unplaced); err != nil {
			return nil, err
		}
		if len(unplaced) > 0 { // open lacks their modules
			open = s.startSurvey()
		}
		// First the modules with open documents, then the others.
		if err := a.reportOpen(ctx, open); err != nil {
			return nil, err
		}
		if err := a.reportOthers(ctx); err != nil {
			return nil, err
		}
		// Then the shared files, and the documents that the client still shows diagnostics of.
		for _, uri := range slices.Sorted(maps.Keys(a.shared)) {
			a.report(uri, docReport{list: a.shared[uri]})
		}
		for _, uri := range slices.Sorted(maps.Keys(a.previous)) { // report ignores those that are done
			a.report(uri, docReport{})
		}
		a.send()
		if a.items == nil { // everything was sent as partial results, or nothing changed: JSON needs a list, not null
			a.items = []protocol.WorkspaceDocumentDiagnosticReport{}
		}
		return protocol.WorkspaceDiagnosticReport{Items: a.items}, nil
	}, nil
}

// startSurvey returns requests for the current snapshots of all modules with open documents. At the client's first
// workspace/diagnostic it takes back the diagnostics that were published for closed documents, because the client
// gets them in answers from now on.
func (s *server) startSurvey() (open []*snapshotRequest) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.survey.isAsked {
		s.survey.isAsked = true
		for _, m := range s.modules {
			s.publishAll(m, nil) // no reports: all that were published are taken back
		}
	}
	for _, m := range s.modules {
		open = append(open, s.wholeOf(m))
	}
	return open
}

// wholeOf returns a request for the snapshot of a module in its current state, or in a later one, without a document.
// The server is locked.
func (s *server) wholeOf(m *module) *snapshotRequest {
	return &snapshotRequest{server: s, module: m, state: m.state, isWhole: true}
}

// reportOpen reports on modules with open documents, each as soon as it is analysed.
func (a *workspaceAnswer) reportOpen(ctx context.Context, open []*snapshotRequest) error {
	for _, w := range open {
		switch _, err := w.snapshot(ctx); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // its last document was closed
			continue
		}
		a.seen[w.module] = true
		a.server.mutex.Lock()
		all := maps.Clone(w.module.reported)
		a.server.mutex.Unlock()
		for uri, x := range all {
			a.add(w.module.dir, uri, x)
		}
		a.send()
	}
	return nil
}

// reportOthers reports on the modules below the folders that have no open documents.
func (a *workspaceAnswer) reportOthers(ctx context.Context) error {
	s := a.server
	s.mutex.Lock()
	folders := slices.Clone(s.folders)
	s.mutex.Unlock()
	known := map[string]bool{}
	for _, f := range folders {
		dirs, err := s.modulesBelow(ctx, f.URI)
		if err != nil {
			return err
		}
		for _, dir := range dirs {
			if known[dir] {
				continue
			}
			known[dir] = true
			if err := a.reportOther(ctx, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// reportOther reports on the module of a directory, unless reportOpen did. If a document of it was opened since the
// request, the report is about the open text.
func (a *workspaceAnswer) reportOther(ctx context.Context, dir string) error {
	s := a.server
	key := s.keyOf(dir)
	s.mutex.Lock()
	var open *snapshotRequest // nil if the module has no open document
	if m := s.modules[key]; m != nil {
		open = s.wholeOf(m)
	}
	s.mutex.Unlock()
	if open != nil {
		if a.seen[open.module] {
			return nil
		}
		if err := a.reportOpen(ctx, []*snapshotRequest{open}); err != nil || a.seen[open.module] {
			return err
		}
		// The last document of the module was closed meanwhile.
	}
	// Without open documents, the module on disk counts.
	all, err := s.surveyOf(ctx, dir)
	for uri, list := range all {
		a.add(dir, uri, docReport{list: list})
	}
	a.send()
	return err
}

// modulesBelow returns the directories of the modules below a folder. It remembers them until a file changes. If the
// client doesn't report changed files, it looks for them each time, and also forgets the diagnostics found earlier.
func (s *server) modulesBelow(ctx context.Context, folder protocol.DocumentURI) ([]string, error) {
	path, isFile := view.PathOf(folder)
	if !isFile {
		return nil, nil
	}
	s.mutex.Lock()
	dirs, isKnown := s.survey.dirs[folder]
	// The search runs without the lock; epoch shows afterwards whether a file changed meanwhile.
	epoch, analyst := s.survey.epoch, s.analyst
	reportsFiles := s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration
	s.mutex.Unlock()
	if isKnown && reportsFiles {
		return dirs, nil
	}
	dirs, err := analyst.Modules(ctx, path)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		s.logf("can't look for modules in %s: %v", quoted(path), err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !reportsFiles {
		s.survey.found = nil
	}
	if s.survey.epoch == epoch { // no file changed meanwhile
		if s.survey.dirs == nil {
			s.survey.dirs = map[protocol.DocumentURI][]string{}
		}
		s.survey.dirs[folder] = dirs
	}
	return dirs, nil
}

// surveyOf returns the diagnostics of a module without open documents, by document. It remembers the result for the
// next time, unless a file changed during the analysis. A module that can't be analysed has none.
func (s *server) surveyOf(ctx context.Context, dir string) (map[protocol.DocumentURI][]protocol.Diagnostic, error) {
	key := s.canonicalDir(dir)
	s.mutex.Lock()
	if found, isKnown := s.survey.found[dir]; isKnown {
		s.mutex.Unlock()
		return found, nil
	}
	m := newModule(s, key, dir) // only for this analysis, so it isn't in s.modules
	// Copy what the analysis needs, as it runs without the lock.
	request, epoch, analyst, encoding := m.request(), s.survey.epoch, s.analyst, s.encoding
	_, settings := m.uris()
	request.Once = true // so the module's files needn't be cached
	s.mutex.Unlock()
	if err := s.analyses.acquire(ctx); err != nil {
		return nil, err
	}
	_, found, err := s.callAnalyst(ctx, analyst, request, func(v *view.View) { v.Encoding, v.Settings = encoding, settings })
	s.analyses.release()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		s.trace("can't analyse %s: %v", quoted(dir), err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	// A document that is open in another module gets its report from that module.
	maps.DeleteFunc(found, func(uri protocol.DocumentURI, list []protocol.Diagnostic) bool {
		return len(list) == 0 || m.belongsToAnother(uri)
	})
	if s.survey.epoch == epoch { // no file changed meanwhile
		if s.survey.found == nil {
			s.survey.found = map[string]map[protocol.DocumentURI][]protocol.Diagnostic{}
		}
		s.survey.found[dir] = found
	}
	return found, nil
}

// add adds the report of the module of dir on a document. A closed document outside of dir, such as a settings file,
// may have diagnostics from several modules, but gets one report. So add collects these in shared.
func (a *workspaceAnswer) add(dir string, uri protocol.DocumentURI, x docReport) {
	path, _ := view.PathOf(uri)
	isClosed := x.version == nil
	if isClosed && filepath.Dir(path) != dir {
		for _, d := range x.list {
			if !slices.ContainsFunc(a.shared[uri], func(other protocol.Diagnostic) bool { return reflect.DeepEqual(d, other) }) {
				a.shared[uri] = append(a.shared[uri], d)
			}
		}
		return
	}
	a.report(uri, x)
}

// report adds the report on a document, unless the document has one. It leaves out a closed document without
// diagnostics on which the client has no report.
func (a *workspaceAnswer) report(uri protocol.DocumentURI, x docReport) {
	previous, hadReport := a.previous[uri]
	isNothing := len(x.list) == 0 && x.version == nil
	if a.done[uri] || isNothing && !hadReport {
		return
	}
	a.done[uri] = true
	a.items = append(a.items, protocol.WorkspaceDocumentDiagnosticReport{
		DocumentDiagnosticReport: reportOf(x.list, previous), URI: uri, Version: x.version,
	})
}

// send sends the items so far as a partial result, if the client takes those.
func (a *workspaceAnswer) send() {
	if a.token == nil || len(a.items) == 0 {
		return
	}
	a.server.notify("$/progress", protocol.PartialResultParams{
		Token: a.token, Value: protocol.WorkspaceDiagnosticReport{Items: a.items},
	})
	a.items = nil
}

// Open settings files. Their text applies to all modules in their directory and below. Problems
// of a settings file are reported by the module of its directory only.

// settingsChanged starts a new analysis of each module to which a changed settings file, doc, applies. It leaves out
// the module of doc, because the callers see to that one. A client that has asked for the diagnostics of the whole
// workspace is told to ask again. settingsChanged does nothing if doc isn't a settings file. The server is locked.
func (s *server) settingsChanged(doc *openDocument) {
	if doc.governs == "" {
		return
	}
	s.invalidateDiagnostics(doc.path)
	// The client asks again after a pause, since an answer takes the analysis of all modules to which the file applies.
	if s.survey.isAsked {
		s.survey.again = s.afterPause(s.survey.again, s.askAgain)
	}
	for _, m := range s.modules {
		if m != doc.module && m.isGovernedBy(doc) {
			m.changed()
		}
	}
}

// settingsDocuments returns the open settings files that apply to the module, in the order of their last edits. The
// server is locked.
func (m *module) settingsDocuments() (docs []*openDocument) {
	for _, doc := range m.server.docs {
		if doc.governs != "" && doc.standsForFile() && doc.module != nil && m.isGovernedBy(doc) {
			docs = append(docs, doc)
		}
	}
	slices.SortFunc(docs, func(a, b *openDocument) int { return cmp.Compare(a.edits, b.edits) })
	return docs
}

// isGovernedBy reports whether an open settings file is in the module's directory or above it: by the client's names
// or, since links may give a directory several, by the canonical ones.
func (m *module) isGovernedBy(doc *openDocument) bool {
	return repo.IsWithin(m.dir, doc.governs) || repo.IsWithin(m.key, doc.module.key)
}

// uris returns the client's URIs of the open files by name, and of the open settings files by path. The server is
// locked.
func (m *module) uris() (open, settings map[string]protocol.DocumentURI) {
	open, settings = map[string]protocol.DocumentURI{}, map[string]protocol.DocumentURI{}
	for _, doc := range m.documentsInUse() {
		if doc.governs == "" {
			open[doc.name] = doc.uri
		}
	}
	for _, doc := range m.settingsDocuments() {
		settings[doc.path] = doc.uri
	}
	return open, settings
}

// belongsToAnother reports whether a document is open and belongs to another module, as a settings file above this
// module does. The other module reports on it.
func (m *module) belongsToAnother(uri protocol.DocumentURI) bool {
	doc := m.server.docs[uri]
	return doc != nil && doc.module != nil && doc.module != m
}
