package check

import "github.com/tofumerge/tofumerge/internal/merge"

// A Sieve collects the wanted findings of a module, and separately those that comments silence.
type Sieve struct {
	Wants    func(Finding) bool
	Comments *Comments // nil if they must be ignored
	// LeftOut, if set, receives the other findings.
	LeftOut func(Finding)
	// Left and Silenced are the wanted findings.
	Left, Silenced List

	errors errorPlaces
}

// Take takes a finding.
func (s *Sieve) Take(f Finding) {
	s.errors.note(&f)
	switch {
	case !s.Wants(f):
		s.leaveOut(f)
	case s.Comments != nil && s.Comments.Silence(&f):
		s.Silenced.Add(f)
	default:
		s.Left.Add(f)
	}
}

// TakeComments takes the findings about comments, once all others have been taken. The comments
// were written for the module as a whole; isWhole is false for a module with other files.
func (s *Sieve) TakeComments(m *merge.Module, isWhole bool) {
	if s.Comments == nil {
		return
	}
	about := s.Comments.misnamed(m)
	if isWhole {
		about = append(about, s.Comments.unused(m, s.errors, func(r *Rule) bool {
			return s.Wants(Finding{Rule: r, Severity: r.Severity})
		})...)
	}
	for _, f := range about {
		if s.Wants(f) {
			s.Left.Add(f)
		} else {
			s.leaveOut(f)
		}
	}
}

func (s *Sieve) leaveOut(f Finding) {
	if s.LeftOut != nil {
		s.LeftOut(f)
	}
}
