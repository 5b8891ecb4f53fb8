package proxy

import (
	"encoding/json"
	"regexp"
	"strconv"

	"github.com/hashicorp/go-version"
	"github.com/tofumerge/tofumerge/cmd/tofumerge/internal/langserver/protocol"
	"github.com/tofumerge/tofumerge/internal/load/lazyregexp"
)

// A falseFinding is a diagnostic that a server reports in an override block although the engine
// accepts it, because the primary block holds the missing item.
//
// The servers send no codes, so a row matches the whole message. Messages that no row matches pass,
// and so do those of "terraform validate" and "tofu validate", which run the engine itself.
type falseFinding struct {
	server string // its name in the answer to initialize
	// since is the earliest version with which the message was seen.
	since   string
	source  string
	message func() *regexp.Regexp // its first group is the name, its second one the number of blocks
}

// The messages of the validation that both servers share.
var (
	requiredArgument = lazyregexp.New(`^Required attribute "([^"]+)" not specified: An attribute named "[^"]+" is required here$`)
	tooFewBlocks     = lazyregexp.New(`^Too few blocks specified for "([^"]+)": At least (\d+) block\(s\) are expected for "[^"]+"$`)
)

// falseFindings is the table. A later version whose messages are the same needs no new row; one
// that words them differently reports them again until it has a row.
var falseFindings = []falseFinding{
	{"terraform-ls", "0.39.0", "Terraform", requiredArgument},
	{"terraform-ls", "0.39.0", "Terraform", tooFewBlocks},
	{"tofu-ls", "0.5.1", "OpenTofu", requiredArgument},
	{"tofu-ls", "0.5.1", "OpenTofu", tooFewBlocks},
}

// knownFor returns the rows for a version of a server.
func knownFor(server protocol.Info) []falseFinding {
	var rows []falseFinding
	is, err := version.NewVersion(server.Version)
	for _, row := range falseFindings {
		if err == nil && row.server == server.Name && !is.Core().LessThan(version.Must(version.NewVersion(row.since))) {
			rows = append(rows, row)
		}
	}
	return rows
}

// suspected returns the item that the primary block must hold if a diagnostic is false; false if no
// row matches the diagnostic.
func suspected(rows []falseFinding, diagnostic json.RawMessage) (protocol.PrimaryItem, bool) {
	var d struct {
		Range   protocol.Range `json:"range"`
		Source  string         `json:"source"`
		Message string         `json:"message"`
	}
	if len(rows) == 0 || json.Unmarshal(diagnostic, &d) != nil {
		return protocol.PrimaryItem{}, false
	}
	for _, row := range rows {
		found := row.message().FindStringSubmatch(d.Message)
		if found == nil || row.source != d.Source {
			continue
		}
		item := protocol.PrimaryItem{Brace: d.Range.Start, Name: found[1]}
		if len(found) > 2 {
			item.Blocks, _ = strconv.Atoi(found[2])
		}
		return item, len(found) == 2 || item.Blocks > 0
	}
	return protocol.PrimaryItem{}, false
}
