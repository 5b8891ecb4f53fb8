package langserver

import (
	"context"
	"maps"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/view"
)

// Clients that ask for the diagnostics of the whole workspace. They get those of every module
// with override files below its folders, and of those that documents are open of. Modules of
// which none is are looked at one after another, and again only if files on the disk have
// changed that may matter to them.

// A survey is what is known of modules of which no document is open. The server guards it.
type survey struct {
	turn    chan struct{} // has room for the one that is under way
	isAsked bool          // the client asks for the whole workspace
	epoch   int           // goes up when something is forgotten
	// dirs are the modules below each folder, while no file comes or goes.
	dirs  map[protocol.DocumentURI][]string
	found map[string]map[protocol.DocumentURI][]protocol.Diagnostic // by directory
}

// forget has everything looked at again.
func (s *survey) forget() { s.dirs, s.found, s.epoch = nil, nil, s.epoch+1 }

// surveyed notes that a file has changed, by its path. The server is locked.
func (s *server) surveyed(path string) {
	dir, isPart := filepath.Dir(path), s.analyst.IsPart(filepath.Base(path))
	s.survey.dirs = nil
	s.survey.epoch++
	maps.DeleteFunc(s.survey.found, func(at string, _ map[protocol.DocumentURI][]protocol.Diagnostic) bool {
		return at == dir || !isPart && isBelow(at, dir) || isBelow(at, path)
	})
}

// surveyAgain has the client ask again for the diagnostics of the workspace, if it does so at
// all. The server is locked.
func (s *server) surveyAgain() {
	s.survey.dirs = nil
	s.survey.epoch++
	if s.survey.isAsked {
		s.tell("workspace/diagnostic/refresh", nil)
	}
}

// A workspaceAnswer is one to a request for the diagnostics of the workspace, as it is made.
type workspaceAnswer struct {
	server   *server
	token    any                             // nil where the client takes no answer in parts
	previous map[protocol.DocumentURI]string // the results that the client has
	done     map[protocol.DocumentURI]bool
	// shared are diagnostics of files that several modules may have something to say of:
	// settings.
	shared map[protocol.DocumentURI][]protocol.Diagnostic
	items  []protocol.WorkspaceDocumentDiagnosticReport
}

// workspaceDiagnostic answers with the diagnostics of all modules of the workspace.
func (s *server) workspaceDiagnostic(p protocol.WorkspaceDiagnosticParams) (answer, error) {
	a := &workspaceAnswer{
		server: s, token: p.PartialResultToken, previous: map[protocol.DocumentURI]string{},
		done: map[protocol.DocumentURI]bool{}, shared: map[protocol.DocumentURI][]protocol.Diagnostic{},
	}
	for _, have := range p.PreviousResultIDs {
		a.previous[have.URI] = have.Value
	}
	open := s.startSurvey()
	return func(ctx context.Context, _ *turn) (any, error) {
		select {
		case s.survey.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		defer func() { <-s.survey.turn }()
		defer s.progress("Checking the workspace")()
		if err := a.openModules(ctx, open); err != nil {
			return nil, err
		}
		if err := a.otherModules(ctx); err != nil {
			return nil, err
		}
		a.finish()
		return protocol.WorkspaceDiagnosticReport{Items: a.items}, nil
	}, nil
}

// startSurvey notes which modules documents are open of, and in which states they are. What
// was sent of documents that are not open the client asks for from now on.
func (s *server) startSurvey() []*wanted {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !s.survey.isAsked {
		s.survey.isAsked = true
		for _, m := range s.modules {
			s.post(m, nil)
		}
	}
	var open []*wanted
	for _, m := range s.modules {
		open = append(open, &wanted{server: s, module: m, state: m.state, isWhole: true})
	}
	return open
}

// openModules reports on the modules that documents are open of, when they were looked at.
func (a *workspaceAnswer) openModules(ctx context.Context, open []*wanted) error {
	for _, w := range open {
		switch _, err := w.see(ctx); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // it was closed meanwhile
			continue
		}
		a.server.mutex.Lock()
		all := maps.Clone(w.module.said)
		a.server.mutex.Unlock()
		for uri, x := range all {
			a.add(w.module.dir, uri, x)
		}
		a.send()
	}
	return nil
}

// otherModules reports on those that none is open of.
func (a *workspaceAnswer) otherModules(ctx context.Context) error {
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
			all, err := s.lookInto(ctx, dir)
			if err != nil {
				return err
			}
			for uri, list := range all {
				a.add(dir, uri, said{list: list})
			}
			a.send()
		}
	}
	return nil
}

// modulesBelow are the directories of modules below a folder.
func (s *server) modulesBelow(ctx context.Context, folder protocol.DocumentURI) ([]string, error) {
	path, isFile := view.PathOf(folder)
	if !isFile {
		return nil, nil
	}
	s.mutex.Lock()
	dirs, isKnown := s.survey.dirs[folder]
	epoch, analyst, hears := s.survey.epoch, s.analyst, s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration
	s.mutex.Unlock()
	if isKnown && hears {
		return dirs, nil
	}
	dirs, err := analyst.Modules(ctx, path)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		s.logf("can't look for modules in %s: %v", named(path), err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !hears {
		s.survey.found = nil // nobody says which files have changed
	}
	if s.survey.epoch == epoch {
		if s.survey.dirs == nil {
			s.survey.dirs = map[protocol.DocumentURI][]string{}
		}
		s.survey.dirs[folder] = dirs
	}
	return dirs, nil
}

// lookInto is what there is to say of a module, unless documents of it are open.
func (s *server) lookInto(ctx context.Context, dir string) (map[protocol.DocumentURI][]protocol.Diagnostic, error) {
	s.mutex.Lock()
	found, isKnown := s.survey.found[dir]
	isOpen := s.known(dir) != nil
	if isOpen {
		found = nil
	}
	if isOpen || isKnown {
		s.mutex.Unlock()
		return found, nil
	}
	m := &module{server: s, key: identity(dir), dir: dir}
	request, epoch, analyst, encoding := m.request(), s.survey.epoch, s.analyst, s.encoding
	_, settings := m.uris()
	request.Once = true
	s.mutex.Unlock()
	select {
	case s.analyses <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	_, found, err := s.analysed(ctx, analyst, request, func(v *view.View) { v.Encoding, v.Settings = encoding, settings })
	<-s.analyses
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		s.trace("can't analyse %s: %v", named(dir), err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	maps.DeleteFunc(found, func(uri protocol.DocumentURI, list []protocol.Diagnostic) bool {
		return len(list) == 0 || m.isOfAnother(uri)
	})
	if s.survey.epoch == epoch {
		if s.survey.found == nil {
			s.survey.found = map[string]map[protocol.DocumentURI][]protocol.Diagnostic{}
		}
		s.survey.found[dir] = found
	}
	return found, nil
}

// add reports on a document of a module.
func (a *workspaceAnswer) add(dir string, uri protocol.DocumentURI, x said) {
	path, _ := view.PathOf(uri)
	if x.version == nil && filepath.Dir(path) != dir {
		for _, d := range x.list {
			if !slices.ContainsFunc(a.shared[uri], func(other protocol.Diagnostic) bool { return reflect.DeepEqual(d, other) }) {
				a.shared[uri] = append(a.shared[uri], d)
			}
		}
		return
	}
	a.report(uri, x)
}

// report adds the report on a document, unless there is nothing to say that the client
// doesn't know.
func (a *workspaceAnswer) report(uri protocol.DocumentURI, x said) {
	previous, had := a.previous[uri]
	if a.done[uri] || len(x.list) == 0 && !had && x.version == nil {
		return
	}
	a.done[uri] = true
	a.items = append(a.items, protocol.WorkspaceDocumentDiagnosticReport{
		DocumentDiagnosticReport: reportOf(x.list, previous), URI: uri, Version: x.version,
	})
}

// send sends what there is so far to clients that take an answer in parts.
func (a *workspaceAnswer) send() {
	if a.token == nil || len(a.items) == 0 {
		return
	}
	a.server.notify("$/progress", protocol.PartialResultParams{
		Token: a.token, Value: protocol.WorkspaceDiagnosticReport{Items: a.items},
	})
	a.items = nil
}

// finish reports on what several modules share, and takes back what is no longer so.
func (a *workspaceAnswer) finish() {
	for _, uri := range slices.Sorted(maps.Keys(a.shared)) {
		a.report(uri, said{list: a.shared[uri]})
	}
	for _, uri := range slices.Sorted(maps.Keys(a.previous)) {
		a.report(uri, said{})
	}
	a.send()
	if a.items == nil {
		a.items = []protocol.WorkspaceDocumentDiagnosticReport{}
	}
}
