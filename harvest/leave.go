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
		drop := Drop{Level: LevelFunction, Item: u.Function.Origin.String(), Unit: u.Function.Entry, Reason: reason, Detail: detail}
		r.Drops = append(r.Drops, drop)
		drop.Level = LevelCase
		for _, c := range u.Cases {
			drop.Detail = c.String()
			r.Drops = append(r.Drops, drop)
		}
	}
	r.Units, r.byID = kept, nil
}
