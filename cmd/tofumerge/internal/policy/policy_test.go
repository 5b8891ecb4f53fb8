package policy

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofumerge/tofumerge/internal/merge/check"
)

// set are settings as a file has them.
func set(t *testing.T, text string, isForeign bool) *Settings {
	t.Helper()
	s, err := parseRead(File{Path: FileName, Text: []byte(text), IsForeign: isForeign}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func of(rule string) check.Finding {
	r := check.FindRule(rule)
	return check.Finding{Rule: r, Severity: r.Severity}
}

// Files are listed from the outermost on. A rule with a + is reported and fails, one with a -
// is reported and passes, another isn't reported.
func TestCombine(t *testing.T) {
	for name, c := range map[string]struct {
		user    string
		files   []string
		foreign bool
		want    string
	}{
		"default":                       {want: "-equivalent-override +no-effect +denied-override"},
		"min_severity":                  {user: `min_severity = "error"`, want: "+denied-override"},
		"nearer shows more":             {files: []string{`min_severity = "error"`, `min_severity = "notice"`}, want: "-equivalent-override +no-effect +denied-override"},
		"nearer hides nothing":          {files: []string{`min_severity = "warning"`, `min_severity = "error"`}, want: "+no-effect +denied-override"},
		"fail_on":                       {files: []string{`fail_on = "error"`}, want: "-equivalent-override -no-effect +denied-override"},
		"nearer fail_on raises nothing": {files: []string{`fail_on = "warning"`, `fail_on = "error"`}, want: "-equivalent-override +no-effect +denied-override"},
		"user over files":               {user: `min_severity = "notice"`, files: []string{`fail_on = "error"`}, want: "-equivalent-override +no-effect +denied-override"},
		"named":                         {files: []string{`enable = ["equivalent-override"]`}, want: "+equivalent-override +no-effect +denied-override"},
		"named, nearer fail_on":         {files: []string{`enable = ["equivalent-override"]`, `fail_on = "error"`}, want: "+equivalent-override -no-effect +denied-override"},
		"named below a fail_on":         {files: []string{`fail_on = "error"`, `enable = ["equivalent-override"]`}, want: "-equivalent-override -no-effect +denied-override"},
		"named by the user":             {user: `enable = ["equivalent-override"]`, files: []string{`fail_on = "error"`}, want: "+equivalent-override -no-effect +denied-override"},
		"named, user's fail_on":         {user: `fail_on = "warning"`, files: []string{`enable = ["equivalent-override"]`}, want: "-equivalent-override +no-effect +denied-override"},
		"disabled":                      {files: []string{`disable = ["no-effect", "denied-override"]`}, want: "-equivalent-override +denied-override"},
		"disabled, though asked for":    {files: []string{`enable = ["no-effect"]`, `disable = ["no-effect"]`}, want: "-equivalent-override +no-effect +denied-override"},
		"disabled by the user":          {user: `disable = ["denied-override"]`, want: "-equivalent-override +no-effect"},
		"disabled at a revision":        {files: []string{`disable = ["denied-override"]`}, foreign: true, want: "-equivalent-override +no-effect"},
		"not at a revision, if asked":   {files: []string{`enable = ["denied-override"]`, `disable = ["denied-override"]`}, foreign: true, want: "-equivalent-override +no-effect +denied-override"},
	} {
		var files []*Settings
		for _, text := range c.files {
			files = append(files, set(t, text, c.foreign))
		}
		p := combine(set(t, c.user, false), files, &patternCache{})
		var got []string
		for _, rule := range []string{"equivalent-override", "no-effect", "denied-override"} {
			switch f := of(rule); {
			case !p.Wants(f):
			case p.Failing([]check.Finding{f}) == 1:
				got = append(got, "+"+rule)
			default:
				got = append(got, "-"+rule)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %s, want %s", name, text, c.want)
		}
	}
}

// Only so many patterns are compared with each name.
func TestManyGlobs(t *testing.T) {
	for n, want := range map[int]bool{maxGlobs: true, maxGlobs + 1: false} {
		s := Settings{Deny: append(slices.Repeat([]string{"a_b*.c"}, n), slices.Repeat([]string{"**.c", "a_b.*"}, n)...)}
		if err := s.Prepare(); (err == nil) != want {
			t.Errorf("%d: %v", n, err)
		}
	}
	half := Settings{Deny: slices.Repeat([]string{"a_b*.c"}, maxGlobs/2+1)}
	if _, err := half.With(&half); err == nil {
		t.Error("two sets of patterns are more than one may have")
	}
}

// Denied items are allowed by the file that denies them, and by the user.
func TestDenied(t *testing.T) {
	p := combine(set(t, `allow_files = ["mine.tf"]`, false), []*Settings{
		set(t, "deny = [\"local.a\"]\ndeny_overrides = true", false),
		set(t, "deny = [\"local.b\"]\nallow_files = [\"dev_*\"]", false),
	}, &patternCache{})
	for name, want := range map[string]int{"mine.tf": 0, "dev_override.tf": 1, "override.tf": 2} {
		if got := p.DeniedIn(name).Len(); got != want || p.DeniesFile(name) != (want > 0) {
			t.Errorf("%s: %d patterns, want %d", name, got, want)
		}
	}
	key := check.Key{Rule: "denied-override"}
	if !p.deniesAny() || !p.CouldFind(key, true) || p.CouldFind(key, false) {
		t.Error("a denied override can't be found")
	}
}

// A tree is files by their paths.
type tree map[string]string

func (t tree) Has(name string) bool { _, ok := t[name]; return ok }

func (t tree) Read(name string, _ int64) ([]byte, error) {
	switch text, ok := t[name]; {
	case !ok, text == "link to nothing":
		return nil, fs.ErrNotExist
	case text == "large":
		return nil, errors.New("it is too large")
	default:
		return []byte(text), nil
	}
}

func (t tree) EscapesRepo(string) bool { return false }

func (t tree) Real(name string) string { return strings.Replace(name, "link", "far/away", 1) }

// Files of a tree apply by the name of a directory, by its target in the tree, and to directories
// that the tree doesn't have.
func TestTree(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	files := Files{
		User: &Settings{},
		Source: Trees(func(string) (Tree, error) {
			return Tree{Files: tree{
				".tofumerge.hcl":      `deny = ["local.root"]`,
				"live/.tofumerge.hcl": `deny = ["local.live"]`,
				"far/.tofumerge.hcl":  `deny = ["local.far"]`,
				"bad/.tofumerge.hcl":  `deny = 1`,
				"gone/.tofumerge.hcl": "link to nothing",
				"huge/.tofumerge.hcl": "large",
			}, Root: root, IsForeign: true, Called: func(name string) string { return "git:x:" + name }}, nil
		}),
	}
	for dir, want := range map[string]int{".": 1, "live/web/new": 2, "link/web": 2, "other": 1} {
		p, broken := files.For(filepath.Join(root, dir))
		if len(broken) > 0 || p.DeniedIn("a.tf").Len() != want {
			t.Errorf("%s: %v, %v, want %d", dir, p, broken, want)
		}
	}
	_, broken := files.For(filepath.Join(root, "bad"))
	if len(broken) != 1 || !strings.HasPrefix(broken[0].Error(), "git:x:bad/.tofumerge.hcl:1:8: ") {
		t.Errorf("%v", broken)
	}
	if f := broken[0].(*Error).FindingFor(root); f.Range.Filename != "" || !strings.Contains(f.Message, "git:x:bad") {
		t.Errorf("%+v", f)
	}
	for dir, want := range map[string]string{"gone": errDangling.Error(), "huge": "it is too large"} {
		if _, broken := files.Settings(filepath.Join(root, dir), &Settings{}); len(broken) != 1 ||
			broken[0].Error() != "can't read git:x:"+dir+"/.tofumerge.hcl: "+want {
			t.Errorf("%s: %v, want %s", dir, broken, want)
		}
	}
	if _, broken := files.For(t.TempDir()); len(broken) != 1 || errors.As(broken[0], new(*Error)) {
		t.Errorf("outside of the working tree: %v", broken)
	}
	if s, err := files.In(t.TempDir()); s != nil || err != nil {
		t.Errorf("outside of the working tree: %v, %v", s, err)
	}
}

// Without a tree for a module, no policy is known for it.
func TestNoTree(t *testing.T) {
	dir, missing := t.TempDir(), errors.New("the revision lacks it")
	for name, find := range map[string]Trees{
		"none":         func(string) (Tree, error) { return Tree{}, missing },
		"an empty one": func(string) (Tree, error) { return Tree{Missing: missing, Root: dir}, nil },
	} {
		files := Files{User: &Settings{}, Source: find}
		if _, broken := files.For(dir); len(broken) != 1 || !errors.Is(broken[0], missing) {
			t.Errorf("%s: %v", name, broken)
		}
		if s, err := files.In(dir); s != nil || (err == nil) != (name != "none") {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// Files of the disk apply from the outermost on, are read once, and are warned of once.
func TestDisk(t *testing.T) {
	root := t.TempDir()
	inner := filepath.Join(root, "a", "b")
	if err := errors.Join(os.MkdirAll(inner, 0o700), os.Mkdir(filepath.Join(root, ".git"), 0o700), os.Mkdir(filepath.Join(root, "linked"), 0o700),
		os.WriteFile(filepath.Join(root, FileName), []byte(`disable = ["denied-override"]`), 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	var warnings []string
	files := Files{User: &Settings{}, Warn: func(text string) { warnings = append(warnings, text) }}
	for range 2 {
		if p, broken := files.For(inner); len(broken) > 0 || !p.Wants(of("denied-override")) {
			t.Fatal(p, broken)
		}
	}
	want := []string{".tofumerge.hcl can't disable denied-override because the change under review may have edited it; use --disable, --config or --config-from"}
	if diff := cmp.Diff(want, warnings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	open := Files{User: &Settings{}, Source: Disk{Open: func(path string) ([]byte, bool) {
		return []byte(`fail_on = "never"`), filepath.Base(filepath.Dir(path)) == "b"
	}}}
	if err := os.Symlink("nowhere", filepath.Join(root, "linked", FileName)); err == nil {
		if _, err := files.In(filepath.Join(root, "linked")); err == nil || !strings.HasSuffix(err.Error(), errDangling.Error()) {
			t.Errorf("a broken link is read: %v", err)
		}
	}
	if s, err := files.In(filepath.Join(root, FileName)); s != nil || err != nil {
		t.Errorf("a file has settings like a directory: %v, %v", s, err)
	}
	if _, broken := open.For(inner); len(broken) != 1 || !strings.Contains(broken[0].Error(), "a/b/.tofumerge.hcl:1:11: fail_on can't be never") {
		t.Errorf("%v", broken)
	}
	if s, err := files.In(root); err != nil || s.Name() != FileName || !slices.Contains(s.Disable, "denied-override") {
		t.Error(s, err)
	}
	if err := files.ReadConfig(filepath.Join(root, "nowhere")); err == nil {
		t.Error("a file that isn't there is read")
	}
}

// A finding that isn't wanted is left out by the setting that counts, named by its file and line or
// its flag.
func TestLeftOutBy(t *testing.T) {
	p := combine(set(t, "", false), []*Settings{set(t, "disable = [\"no-effect\"]\nmin_severity = \"warning\"", false)}, &patternCache{})
	for rule, want := range map[string]string{
		"no-effect": ".tofumerge.hcl:1", "equivalent-override": ".tofumerge.hcl:2", "undecided": "", "denied-override": "", "unmarked-override": "",
	} {
		if got := p.LeftOutBy(of(rule)); got != want {
			t.Errorf("%s is left out by %q, want %q", rule, got, want)
		}
	}
	user := &Settings{Disable: []string{"denied-override"}}
	if err := user.Prepare(); err != nil {
		t.Fatal(err)
	}
	if got := combine(user, nil, &patternCache{}).LeftOutBy(of("denied-override")); got != "--disable" {
		t.Errorf("an error is left out by %q", got)
	}
}

// No flag lets findings fail that another one leaves out.
func TestCheckFlags(t *testing.T) {
	for _, c := range []struct {
		min, fail string
		want      bool
	}{{"warning", "error", true}, {"warning", "warning", true}, {"error", "warning", false}, {"error", "never", true}} {
		s := Settings{MinSeverity: &c.min, FailOn: &c.fail}
		if err := s.Prepare(); err != nil {
			t.Fatal(err)
		}
		if err := s.CheckFlags(); (err == nil) != c.want {
			t.Errorf("%s, %s: %v", c.min, c.fail, err)
		}
	}
}

// The values in force are listed with their origins: of files, of --config, of flags, and defaults.
func TestListing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	path := filepath.Join(dir, "given.hcl")
	if err := os.WriteFile(path, []byte("deny = [\"local.a\"]\nmin_severity = \"warning\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var files Files
	if err := files.ReadConfig(path); err != nil {
		t.Fatal(err)
	}
	flags := &Settings{Deny: []string{"local.b"}, DenyOverrides: true}
	if err := flags.Prepare(); err != nil {
		t.Fatal(err)
	}
	var err error
	if files.User, err = files.Override.With(flags); err != nil {
		t.Fatal(err)
	}
	got, broken := files.Settings(dir, flags)
	want := []Setting{
		{"deny", `["local.a"]`, "given.hcl:1", false},
		{"min_severity", `"warning"`, "given.hcl:2", false},
		{"deny", `["local.b"]`, "command line", false},
		{"deny_overrides", "true", "command line", false},
		{"fail_on", `"warning"`, "default", false},
	}
	if diff := cmp.Diff(want, got); diff != "" || len(broken) > 0 {
		t.Errorf("%v (-want +got):\n%s", broken, diff)
	}
}
