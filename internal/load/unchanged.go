package load

import (
	"github.com/tofumerge/tofumerge/internal/load/outline"
	"github.com/tofumerge/tofumerge/internal/load/source"
)

// earlierBlocks holds the blocks of a file from an earlier read. Identical text needs neither an
// outline nor a check against the language again.
type earlierBlocks struct {
	file      *source.File
	addressed [2]*addressedBlocks // before, and in the load at hand
	at        int                 // the index of the block that is expected next
	behind    map[uint64]int      // the index behind the first block of a key, once it is needed
}

// blocksFor returns the blocks that another load may reuse. It returns nil if that load must read
// everything: if the file had errors, or if JSON files depend on the contents of blocks.
func (c *cachedFile) blocksFor(l *loader, f *source.File) *earlierBlocks {
	if c == nil || len(c.diags) > 0 || c.mixed || l.mixed || c.role != f.Role || c.engine != f.Engine.String() ||
		c.addressed == nil || l.addressed == nil || c.file.Parsed {
		return nil
	}
	return &earlierBlocks{file: c.file, addressed: [2]*addressedBlocks{c.addressed, l.addressed}}
}

// next reuses the next block if it is unchanged.
func (u *earlierBlocks) next(f *source.File, scan *outline.Scanner) bool {
	if u == nil || u.at >= u.file.Len() || u.isJudgedAnew(u.at) {
		return false
	}
	at, ok := scan.Ahead()
	if !ok {
		return false
	}
	end, ok := f.AddSame(u.file, u.at, at)
	if ok {
		u.at++
		scan.Resume(end)
	}
	return ok
}

// isJudgedAnew reports whether a block is kept for override files, or was, or declares names.
func (u *earlierBlocks) isJudgedAnew(i int) bool {
	key, typ := u.file.Key(i), u.file.TypeOf(i)
	return u.addressed[0].has(key, typ) || u.addressed[1].has(key, typ) || declaresNames(u.file, string(typ))
}

// skip advances past the earlier counterpart of the file's last block.
func (u *earlierBlocks) skip(f *source.File) {
	if u == nil || f.Len() == 0 {
		return
	}
	key := f.Key(f.Len() - 1)
	if u.at < u.file.Len() && u.file.Key(u.at) == key {
		u.at++
		return
	}
	if u.behind == nil {
		u.behind = map[uint64]int{}
		for i := u.file.Len(); i > 0; i-- {
			u.behind[u.file.Key(i-1)] = i
		}
	}
	if behind, known := u.behind[key]; known {
		u.at = behind
	}
}
