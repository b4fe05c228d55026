package duplicates

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// made is a function of random tokens.
func made(r *rand.Rand, size int) []string {
	tokens := make([]string, size)
	for i := range tokens {
		tokens[i] = fmt.Sprint(r.IntN(200))
	}
	return tokens
}

func recordOf(tokens []string) *Record {
	r := &Record{Tokens: uint32(len(tokens)), Signature: *Sign(tokens)}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", tokens))
	copy(r.Tree[:], sum[:])
	copy(r.ID[:], sum[16:])
	return r
}

// write lays records down in files of some size.
func write(t testing.TB, records []*Record, perFile int) *Files {
	t.Helper()
	var paths []string
	dir := t.TempDir()
	for chunk := range slices.Chunk(records, perFile) {
		var b []byte
		for _, r := range chunk {
			b = r.Append(b)
		}
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("%06d", len(paths))))
		if err := os.WriteFile(paths[len(paths)-1], b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := OpenFiles(paths)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { files.Close() })
	return files
}

func find(t testing.TB, files *Files, options Options) *Found {
	t.Helper()
	found, err := Find(t.Context(), files, t.TempDir(), options)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestSorterSpills(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		records := rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 3, 3)).Draw(rt, "records")
		s := newSorter(t.TempDir(), 3, rapid.IntRange(1, 20).Draw(rt, "limit"))
		defer s.close()
		for _, r := range records {
			if err := s.add(r); err != nil {
				rt.Fatal(err)
			}
		}
		var got [][]byte
		if err := s.each(func(r []byte) error { got = append(got, bytes.Clone(r)); return nil }); err != nil {
			rt.Fatal(err)
		}
		slices.SortFunc(records, bytes.Compare)
		if !reflect.DeepEqual(got, records) && len(records) > 0 {
			rt.Fatalf("%v is not %v", got, records)
		}
	})
}

func TestPlantedCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var records []*Record
	var tokens [][]string
	plant := func(list []string) { tokens, records = append(tokens, list), append(records, recordOf(list)) }
	const originals = 400
	for range originals {
		plant(made(r, 60+r.IntN(200)))
	}
	type copied struct {
		of   int
		kind Kind
	}
	want := map[int]copied{}
	for of := range originals {
		switch of % 4 {
		case 0:
			want[len(records)] = copied{of, Exact}
			plant(slices.Clone(tokens[of]))
		case 1: // one token in a hundred is another: about five shingles
			list := slices.Clone(tokens[of])
			for i := 50; i < len(list); i += 100 {
				list[i] = "changed"
			}
			want[len(records)] = copied{of, Near}
			plant(list)
		case 2: // a third is another: no copy
			list := slices.Clone(tokens[of])
			copy(list, made(r, len(list)/3))
			plant(list)
		}
	}
	files := write(t, records, 37)
	found := find(t, files, Options{Exact: true, Near: true, Threshold: 0.85})
	recall, falsePositives := map[Kind]int{}, 0
	for n := range records {
		first, kind := found.Of(n)
		w, planted := want[n]
		switch {
		case planted && first == w.of && kind == w.kind:
			recall[kind]++
		case !planted && kind != First:
			falsePositives++
		}
	}
	t.Logf("exact %d of 100, near %d of 100, false positives %d of %d", recall[Exact], recall[Near], falsePositives, len(records)-len(want))
	if recall[Exact] != 100 || recall[Near] < 80 || falsePositives > 0 {
		t.Error("copies are missed, or others are taken for copies")
	}

	again := find(t, write(t, records, 1000), Options{Exact: true, Near: true, Threshold: 0.85, SortBytes: 4096})
	if !reflect.DeepEqual(again, found) {
		t.Error("files of another size and a smaller buffer give something else")
	}
	if exact := find(t, files, Options{Exact: true}); slices.Contains(exact.kind, Near) || !slices.Contains(exact.kind, Exact) {
		t.Error("near copies are found that were not asked for")
	}
}

func TestExcludedIsNoCopy(t *testing.T) {
	tokens := made(rand.New(rand.NewPCG(3, 4)), 100)
	records := []*Record{recordOf(tokens), recordOf(tokens), recordOf(tokens)}
	records[0].Excluded = 7
	found := find(t, write(t, records, 2), Options{Exact: true, Near: true, Threshold: 0.85})
	for n, want := range []int{0, 1, 1} {
		if first, _ := found.Of(n); first != want {
			t.Errorf("%d stands for %d, want %d", first, n, want)
		}
	}
}

func TestSimilarityEstimatesTheShareOfShingles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, changed := range []int{0, 1, 4, 12} {
		one := made(r, 400)
		two := slices.Clone(one)
		for i := range changed {
			two[20+30*i] = "changed"
		}
		a, b := Grams(one, run), Grams(two, run)
		common := 0
		for _, g := range a {
			if slices.Contains(b, g) {
				common++
			}
		}
		want := float64(common) / float64(len(a))
		if got := Similarity(Sign(one), Sign(two)); got < want-0.12 || got > want+0.12 {
			t.Errorf("%d changed: similarity %.2f, want about %.2f", changed, got, want)
		}
	}
}

func TestSimilarityOfParts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, test := range []struct {
		whole, from, to int
		want            float64
	}{
		{100, 0, 100, 1}, {100, 0, 52, 1}, {100, 40, 95, 1}, {100, 0, 40, 0}, // less than half
		{600, 100, 500, 1}, {600, 0, 400, 1}, {600, 0, 200, 0},
	} {
		whole := made(r, test.whole)
		part := Sign(whole[test.from:test.to])
		for _, got := range []float64{Similarity(Sign(whole), part), Similarity(part, Sign(whole))} {
			if got != test.want {
				t.Errorf("%d to %d of %d: similarity %.2f, want %.2f", test.from, test.to, test.whole, got, test.want)
			}
		}
	}
	if got := Similarity(Sign(nil), Sign(nil)); got != 0 {
		t.Errorf("nothing is similar to nothing by %.2f", got)
	}
}

// TestAnchors: texts that have a long enough run in common have an anchor in common, wherever it stands.
func TestAnchors(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		common := made(r, anchorRun+anchorWindow-1)
		around := func() []string { return made(r, rapid.IntRange(0, 20).Draw(rt, "more")) }
		one, two := slices.Concat(around(), common, around()), slices.Concat(around(), common, around())
		a, b := Sign(one), Sign(two)
		if !slices.ContainsFunc(a.Anchors[:], func(h uint32) bool { return h != math.MaxUint32 && slices.Contains(b.Anchors[:], h) }) {
			rt.Fatalf("no anchor of %v is one of %v", one, two)
		}
	})
}

func TestDamagedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	os.WriteFile(path, make([]byte, RecordBytes+1), 0o644)
	if _, err := OpenFiles([]string{path}); err == nil {
		t.Error("half a record is read")
	}
}

// BenchmarkFind shows that memory does not grow with the number of functions, but for six bytes each.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{20_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(7, 8))
			records := func(yield func(*Record) bool) {
				for i := range n {
					record := &Record{Tokens: 100, Signature: Signature{Runs: 100}}
					for _, hashes := range [][]uint32{record.Signature.Sketch[:], record.Signature.Anchors[:]} {
						for k := range hashes {
							hashes[k] = r.Uint32()
						}
						slices.Sort(hashes)
					}
					binary.LittleEndian.PutUint64(record.Tree[:], uint64(i))
					if !yield(record) {
						return
					}
				}
			}
			path := filepath.Join(b.TempDir(), "records")
			file, err := os.Create(path)
			if err != nil {
				b.Fatal(err)
			}
			var buffer []byte
			for record := range records {
				buffer = record.Append(buffer[:0])
				file.Write(buffer)
			}
			file.Close()
			files, err := OpenFiles([]string{path})
			if err != nil {
				b.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			for b.Loop() {
				find(b, files, Options{Exact: true, Near: true, Threshold: 0.85, SortBytes: 1 << 20})
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.HeapSys-min(before.HeapSys, after.HeapSys))/1e6, "MB-heap-growth")
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "functions/s")
		})
	}
}
