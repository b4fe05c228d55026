package pipelines

import (
	"github.com/tracemill/tracemill/harvest"
	"github.com/tracemill/tracemill/harvest/secrets"
	"github.com/tracemill/tracemill/schema"
	"github.com/tracemill/tracemill/tracer"
)

// hide masks the secrets of a trace, before anything is made of it, so that its trajectories hold none either. It is false for a trace
// that is to be dropped because it has some, which is then counted.
func (w *worker) hide(sums Counters, trace *schema.Trace) bool {
	handling := w.config.Harvest.Secrets.Values
	if handling == harvest.HandleKeep || !maskTrace(trace) || handling == harvest.HandleMask {
		return true
	}
	sums.enter("traces", 1)
	sums.drop("traces", string(harvest.Secret))
	return false
}

// maskTrace masks whatever a trace shows of the program's data, and says whether there was anything. Its call and names are of the source,
// and its id stays that of what was recorded.
func maskTrace(t *schema.Trace) bool {
	found := false
	hide := func(text *string) {
		if masked, kinds := secrets.Mask(*text); len(kinds) > 0 {
			*text, found = masked, true
		}
	}
	for i := range t.Values {
		hide(&t.Values[i])
	}
	for _, text := range []*string{&t.Output, &t.Expected, &t.Stdout, &t.Stderr, &t.ExceptionMessage, &t.StatusDetail} {
		hide(text)
	}
	return found
}

// maskReplayed makes what a debugger shows comparable with a trace whose secrets are masked.
func maskReplayed(r *tracer.Replayed) {
	for i := range r.Stops {
		stop := &r.Stops[i]
		stop.Value, _ = secrets.Mask(stop.Value)
		for name, value := range stop.Locals {
			stop.Locals[name], _ = secrets.Mask(value)
		}
	}
	r.Output, _ = secrets.Mask(r.Output)
}
