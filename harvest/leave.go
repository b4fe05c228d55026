package harvest

// DropUnits drops the functions, and their cases with them, for which there is a reason.
func (r *Result) DropUnits(unwanted func(*Unit) (reason Reason, detail string)) {
	kept := r.Units[:0]
	for i := range r.Units {
		u := &r.Units[i]
		reason, detail := unwanted(u)
		if reason == "" {
			kept = append(kept, *u)
			continue
		}
		r.Drops = append(r.Drops, u.drop(LevelFunction, reason, detail))
		for _, c := range u.Cases {
			r.Drops = append(r.Drops, u.drop(LevelCase, reason, c.String()))
		}
	}
	r.Units, r.byID = kept, nil
}
