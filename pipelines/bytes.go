package pipelines

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

var byteUnits = []struct {
	suffix string
	size   float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// parseBytes reads "64MiB", "1.5 GB" or a plain number of bytes.
func parseBytes(s string) (int64, error) {
	number, size := strings.TrimSpace(s), 1.0
	for _, u := range byteUnits {
		if rest, ok := strings.CutSuffix(number, u.suffix); ok {
			number, size = strings.TrimSpace(rest), u.size
			break
		}
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(number, "_", ""), 64)
	if err != nil || n < 0 || math.IsNaN(n) || n*size > math.MaxInt64/2 {
		return 0, fmt.Errorf(`%q is not a size such as "64MiB" or 67108864`, s)
	}
	return int64(n * size), nil
}
