package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/tracemill/tracemill/pipelines"
)

// progress shows how far a build is: a bar on a terminal, a line now and then elsewhere. It is called by several
// goroutines.
type progress struct {
	w    io.Writer
	bar  *progressbar.ProgressBar // nil off a terminal
	tty  bool
	mu   sync.Mutex
	last time.Time
	done int
	all  int
}

// linesEvery keeps logs of long builds short.
const linesEvery = 10 * time.Second

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	return &progress{w: w, tty: ok && term.IsTerminal(int(f.Fd()))}
}

func (p *progress) Log(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintln(p.w, line)
}

func (p *progress) Start(parts, resumed int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all, p.done, p.last = parts, resumed, time.Now()
	if !p.tty {
		fmt.Fprintf(p.w, "%d parts, %d done before\n", parts, resumed)
		return
	}
	p.bar = progressbar.NewOptions(parts,
		progressbar.OptionSetWriter(p.w),
		progressbar.OptionSetDescription("parts"),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond),
	)
	_ = p.bar.Set(resumed)
}

func (p *progress) Part(id string, sums pipelines.Counters) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf("parts (%s: %d traces, %d trajectories)", id, sums["traces.in"], sums["trajectories.out"]))
		_ = p.bar.Add(1)
		return
	}
	if now := time.Now(); now.Sub(p.last) >= linesEvery || p.done == p.all {
		p.last = now
		fmt.Fprintf(p.w, "%d of %d parts\n", p.done, p.all)
	}
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// bySum orders keys by their sums, largest first, then by name.
func bySum(sums map[string]int64) []string {
	keys := make([]string, 0, len(sums))
	for k := range sums {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if sums[a] != sums[b] {
			return int(sums[b] - sums[a])
		}
		if a < b {
			return -1
		}
		return 1
	})
	return keys
}

// formatBytes writes a size as people read it.
func formatBytes(n int64) string {
	size, unit := float64(n), "B"
	for _, next := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if size < 1024 {
			break
		}
		size, unit = size/1024, next
	}
	if unit == "B" {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", size, unit)
}
