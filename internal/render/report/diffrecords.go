package report

import "github.com/tofumerge/tofumerge/internal/render/patch"

// DiffRecords records the changes of each file, without the lines themselves. Unchanged files are
// left out.
func DiffRecords(diffs []*patch.File) []FileRecord {
	list := []FileRecord{}
	for _, d := range diffs {
		if !d.Changes() {
			continue
		}
		rec := FileRecord{Filename: d.Name, Hunks: []HunkRecord{}}
		if d.Title[0] != "" {
			rec.Filename, rec.Against = d.Title[0], d.Title[1]
		} else {
			rec.Role = "primary"
		}
		in, del := d.Counts()
		rec.Insertions, rec.Deletions, rec.IsNew = &in, &del, d.IsNew
		shift := 0
		for _, r := range d.Runs {
			rec.Hunks = append(rec.Hunks, HunkRecord{
				OldStart: r.From + 1,
				OldLines: r.To - r.From,
				NewStart: r.From + 1 + shift,
				NewLines: len(r.Lines),
			})
			shift += len(r.Lines) - (r.To - r.From)
		}
		list = append(list, rec)
	}
	return list
}
