package render

// DiffRecords records what changes in each file, without the lines themselves.
func DiffRecords(diffs []*FileDiff) []FileRecord {
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
		for _, r := range d.runs {
			rec.Hunks = append(rec.Hunks, HunkRecord{OldStart: r.from + 1, OldLines: r.to - r.from, NewStart: r.from + 1 + shift, NewLines: len(r.lines)})
			shift += len(r.lines) - (r.to - r.from)
		}
		list = append(list, rec)
	}
	return list
}
