package sandbox

import (
	"strconv"
	"testing"
)

// BenchmarkFindImage is what a second run pays to find its image.
func BenchmarkFindImage(b *testing.B) {
	openDocker(b)
	for b.Loop() {
		if _, err := EnsureImage(testContext(b), DockerOptions{Image: "host"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStart is a start until the first answer, and the removal.
func BenchmarkStart(b *testing.B) {
	for _, v := range variants {
		b.Run(v.name, func(b *testing.B) {
			r, err := v.open()
			if err != nil {
				b.Skip(err)
			}
			for b.Loop() {
				p := startScript(b, r, echo)
				roundTrip(b, p, make([]byte, 1))
				if err := p.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	for _, size := range []int{1 << 10, 100 << 10, 16 << 20} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			p := startScript(b, openDocker(b), echo)
			frame := make([]byte, size)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				roundTrip(b, p, frame)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}

// BenchmarkStream is frames in one direction, which is what many traces are.
func BenchmarkStream(b *testing.B) {
	for _, size := range []int{1 << 10, 100 << 10} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			p := startScript(b, openDocker(b), "import struct, sys\nframe = struct.pack('<I', "+strconv.Itoa(size)+") + bytes("+strconv.Itoa(size)+")\nwhile True:\n    sys.stdout.buffer.write(frame)\n")
			b.SetBytes(int64(size))
			ctx := testContext(b)
			for b.Loop() {
				if _, err := p.Receive(ctx); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}

func roundTrip(b *testing.B, p Process, frame []byte) {
	ctx := b.Context()
	if err := p.Send(ctx, frame); err != nil {
		b.Fatal(err)
	}
	if _, err := p.Receive(ctx); err != nil {
		b.Fatal(err)
	}
}
