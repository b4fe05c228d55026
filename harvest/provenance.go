package harvest

import (
	"strconv"

	"github.com/tracemill/tracemill/harvest/license"
)

// provenance decides by where items are from whether they are read at all.
type provenance struct {
	licenses license.Policy
	optOut   *optOut
}

func newProvenance(c Curation) (*provenance, error) {
	optOut, err := c.readOptOut()
	if err != nil {
		return nil, err
	}
	return &provenance{licenses: c.Licenses, optOut: optOut}, nil
}

// admit fills in the items' licences, and makes drops of those that are not wanted. The caller's items stay as they are.
func (p *provenance) admit(items []Item, r *Result) []Item {
	admitted := make([]Item, len(items))
	for i, item := range items {
		if item.Err == nil {
			p.judge(&item, r)
		}
		admitted[i] = item
	}
	return admitted
}

func (p *provenance) judge(item *Item, r *Result) {
	if reason := p.optedOut(item, r); reason != "" {
		item.refuse(OptedOut, reason)
		return
	}
	source := item.Source
	if source == nil {
		source = []byte(item.Text)
	}
	// What a file says of itself is nearer to it than what is said of all files.
	item.License = firstOf(license.Header(source), item.License)
	if verdict := p.licenses.Judge(item.License); verdict != license.Wanted {
		detail := "no licence is known"
		if item.License != "" {
			detail = item.License
		}
		item.refuse(Reason(verdict), detail)
	}
	item.TestFiles = p.admitTests(item, r)
	if !license.Valid(item.License) {
		item.License = "" // it could be named in the config, but nobody else can read it
	}
}

// optedOut is the entry of the opt-out file that names an item, and notes that it does; "" where none does.
func (p *provenance) optedOut(item *Item, r *Result) string {
	reason, lines := p.optOut.item(item)
	for _, line := range lines {
		r.Count(optOutFact, strconv.Itoa(line))
	}
	return reason
}

// admitTests are an item's test files without those that would be no items themselves: their calls are theirs.
func (p *provenance) admitTests(item *Item, r *Result) []TestFile {
	var admitted []TestFile
	for _, test := range item.TestFiles {
		own := Item{Origin: item.Origin, Source: test.Source}
		own.Path = test.Path
		if p.optedOut(&own, r) == "" && p.licenses.Judge(firstOf(license.Header(test.Source), item.License)) == license.Wanted {
			admitted = append(admitted, test)
		}
	}
	return admitted
}

// leave drops the functions that are named by their own ids.
func (p *provenance) leave(r *Result) {
	if len(p.optOut.ids) == 0 {
		return
	}
	r.DropUnits(func(u *Unit) (Reason, string) {
		id := u.Function.ID
		if line, ok := p.optOut.ids[id]; ok {
			r.Count(optOutFact, strconv.Itoa(line))
			return OptedOut, "id " + id
		}
		return "", ""
	})
}

// refuse makes a drop of an item that could have been read.
func (i *Item) refuse(reason Reason, detail string) {
	i.Source, i.Text, i.Entry, i.Inputs, i.Tests, i.TestFiles = nil, "", "", nil, nil, nil
	i.Err = i.drop(reason, detail)
}
