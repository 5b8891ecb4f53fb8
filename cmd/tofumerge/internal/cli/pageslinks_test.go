package cli

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	mdLink  = regexp.MustCompile(`\]\(([^()\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	ownLink = regexp.MustCompile(`https://github\.com/tofumerge/tofumerge/(?:blob|tree)/main/([\w./-]+)(#[\w-]+)?`)
)

// TestPagesLinks follows every link from a page to the repository: the file is
// there, and so is the heading. The addresses that the program prints count, too.
func TestPagesLinks(t *testing.T) {
	pages := map[string]*page{}
	for _, p := range readPages(t) {
		pages[p.path] = p
	}
	follow := func(from, to string) {
		file, anchor, hasAnchor := strings.Cut(to, "#")
		if file == "" {
			file = from
		} else {
			file = path.Join(path.Dir(from), file)
		}
		if _, err := os.Stat(filepath.Join(repository, filepath.FromSlash(file))); err != nil {
			t.Errorf("%s links to %s, which is not there", from, to)
			return
		}
		if p := pages[file]; hasAnchor && p != nil && !anchorsOf(p)[anchor] {
			t.Errorf("%s links to %s, and %s has no such heading", from, to, file)
		}
	}
	for _, p := range pages {
		for _, m := range mdLink.FindAllStringSubmatch(p.prose(), -1) {
			if to := m[1] + m[2]; !regexp.MustCompile(`^[a-z]+:`).MatchString(to) {
				follow(p.path, to)
			}
		}
	}
	for from, text := range otherTexts(t) {
		for _, m := range ownLink.FindAllStringSubmatch(text, -1) {
			if !strings.HasSuffix(m[1], "/") {
				follow(from, strings.Repeat("../", strings.Count(from, "/"))+m[1]+m[2])
			}
		}
	}
}

// otherTexts are the files that may name pages by their addresses: all pages, the
// sources of the program, and templates.
func otherTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, dir := range []string{"cmd", "internal", ".github", "docs"} {
		err := walkSources(dir, func(name string) {
			if !regexp.MustCompile(`\.(go|md|ya?ml|json)$`).MatchString(name) {
				return
			}
			text, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(name)))
			if err != nil {
				t.Fatal(err)
			}
			texts[name] = string(text)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}

// prose is a page without its blocks of code, which keep their lines.
func (p *page) prose() string {
	text := p.text
	for i := len(p.blocks) - 1; i >= 0; i-- {
		b := p.blocks[i]
		text = text[:b.at] + strings.Repeat("\n", strings.Count(b.text, "\n")) + text[b.end:]
	}
	return text
}

// anchorsOf are the names of a page's headings, made as GitHub makes them.
func anchorsOf(p *page) map[string]bool {
	anchors := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(p.prose(), -1) {
		name := strings.ToLower(regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1"))
		name = regexp.MustCompile(`[^\p{L}\p{N}\-_ ]`).ReplaceAllString(name, "")
		name = strings.ReplaceAll(name, " ", "-")
		for n, numbered := 1, name; ; n++ {
			if !anchors[numbered] {
				anchors[numbered] = true
				break
			}
			numbered = name + "-" + itoa(n)
		}
	}
	for _, m := range regexp.MustCompile(`<a (?:id|name)="([^"]+)"`).FindAllStringSubmatch(p.prose(), -1) {
		anchors[m[1]] = true
	}
	return anchors
}
