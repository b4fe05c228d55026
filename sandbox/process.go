package sandbox

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	// readBuffer is several of the chunks that come at once (32 KiB of an engine's, 64 KiB of a pipe's), so that a
	// burst costs one system call.
	readBuffer = 256 << 10
	// aheadBytes and aheadFrames bound what is read before anybody asks. Beyond them the process blocks in its write.
	aheadBytes  = 8 << 20
	aheadFrames = 256
	// settle bounds the time between the two signs of an end, the stream's and the process's.
	settle = 10 * time.Second
)

// process is the Process of every runtime. It owns two goroutines: drain reads the frames, watch waits for the end. Both
// end at Close.
type process struct {
	name   string
	keeper keeper
	in     writer
	out    io.Reader
	errs   func() string   // the end of stderr, once out has ended
	life   context.Context // ends at Close
	end    context.CancelFunc

	frames chan []byte         // closed by drain, after err is set
	room   *semaphore.Weighted // bytes in frames
	err    error
	exited chan struct{} // closed by watch, after exit is set
	exit   exit
	gone   sync.WaitGroup

	sending chan struct{} // a lock that a context can give up on
	cut     error         // a frame was sent in part; guarded by sending
	head    [4]byte

	closing  sync.Once
	closeErr error
	forget   func() // called once it is closed
}

// keeper is what a runtime does for a process of its.
type keeper interface {
	// wait returns when the process has ended, or ctx has.
	wait(ctx context.Context) exit
	// hangUp ends the streams, whoever still holds their other ends.
	hangUp()
	// remove kills what is left of the process and removes it.
	remove() error
}

// writer is a process's stdin.
type writer interface {
	io.Writer
	SetWriteDeadline(time.Time) error
}

// exit is how a process ended, or why that is not known.
type exit struct {
	code int
	oom  bool
	err  error // of the runtime
}

// newProcess takes a life of its own, which the contexts of starts and receives do not end.
func newProcess(ctx context.Context, name string, k keeper, in writer, out io.Reader, errs func() string) *process {
	p := &process{
		name: name, keeper: k, in: in, out: out, errs: errs,
		frames:  make(chan []byte, aheadFrames),
		room:    semaphore.NewWeighted(aheadBytes),
		exited:  make(chan struct{}),
		sending: make(chan struct{}, 1),
		forget:  func() {},
	}
	p.life, p.end = context.WithCancel(context.WithoutCancel(ctx))
	return p
}

func (p *process) run() {
	drained := make(chan struct{})
	p.gone.Go(func() {
		defer close(drained)
		p.drain()
	})
	p.gone.Go(func() { p.watch(drained) })
}

func (p *process) drain() {
	defer close(p.frames)
	in := frameReader{r: p.out}
	for {
		frame, err := in.next()
		if err != nil {
			p.err = p.ended(err)
			return
		}
		if p.room.Acquire(p.life, weight(frame)) != nil {
			p.err = p.closed()
			return
		}
		select {
		case p.frames <- frame:
		case <-p.life.Done():
			p.err = p.closed()
			return
		}
	}
}

// weight lets a frame that is larger than all the room pass, alone.
func weight(frame []byte) int64 { return min(int64(len(frame)), aheadBytes) }

// watch reports the exit, and ends a stream that does not end with its process.
func (p *process) watch(drained <-chan struct{}) {
	p.exit = p.keeper.wait(p.life)
	close(p.exited)
	late := time.NewTimer(settle)
	defer late.Stop()
	select {
	case <-drained:
	case <-p.life.Done():
	case <-late.C:
		p.keeper.hangUp()
	}
}

// ended turns the end of the stream into what Receive returns.
func (p *process) ended(err error) error {
	if p.life.Err() != nil {
		return p.closed()
	}
	if errors.Is(err, errFrame) {
		return fmt.Errorf("sandbox %s: %w%s", p.name, err, p.quoted())
	}
	late := time.NewTimer(settle)
	defer late.Stop()
	select {
	case <-p.exited:
	case <-p.life.Done():
		return p.closed()
	case <-late.C:
		return fmt.Errorf("sandbox %s: lost the connection to a process that runs: %w%s", p.name, err, p.quoted())
	}
	if p.life.Err() != nil {
		return p.closed()
	}
	if p.exit.err != nil {
		return fmt.Errorf("sandbox %s: %w", p.name, p.exit.err)
	}
	return &ExitError{Name: p.name, Code: p.exit.code, OOM: p.exit.oom, Stderr: p.errs()}
}

func (p *process) quoted() string {
	if text := p.errs(); text != "" {
		return "; stderr: " + text
	}
	return ""
}

func (p *process) closed() error { return fmt.Errorf("sandbox %s: %w", p.name, os.ErrClosed) }

func (p *process) Receive(ctx context.Context) ([]byte, error) {
	select {
	case frame, ok := <-p.frames:
		if !ok {
			return nil, p.err
		}
		p.room.Release(weight(frame))
		return frame, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Send does not say why a process that no longer reads has ended: Receive does, after the last frame.
func (p *process) Send(ctx context.Context, frame []byte) error {
	if len(frame) > MaxFrame {
		return fmt.Errorf("send to sandbox %s: a frame of %d bytes is larger than %d", p.name, len(frame), MaxFrame)
	}
	select {
	case p.sending <- struct{}{}:
		defer func() { <-p.sending }()
	case <-ctx.Done():
		return ctx.Err()
	case <-p.life.Done():
		return p.closed()
	}
	if p.cut != nil {
		return p.cut
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	n, err := p.write(ctx, frame)
	if err == nil {
		return nil
	}
	switch {
	case p.life.Err() != nil:
		err = p.closed()
	case ctx.Err() != nil:
		err = ctx.Err()
	default:
		err = fmt.Errorf("send to sandbox %s: %w", p.name, err)
	}
	if n > 0 {
		p.cut = fmt.Errorf("sandbox %s: an earlier frame was sent only in part; close it: %w", p.name, err)
	}
	return err
}

// write bounds one write by ctx. The deadline is lifted only after a cancellation that is under way has set it.
func (p *process) write(ctx context.Context, frame []byte) (int64, error) {
	binary.LittleEndian.PutUint32(p.head[:], uint32(len(frame)))
	parts := net.Buffers{p.head[:], frame}
	set := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(set)
		_ = p.in.SetWriteDeadline(time.Unix(1, 0))
	})
	n, err := parts.WriteTo(p.in)
	if !stop() {
		<-set
		_ = p.in.SetWriteDeadline(time.Time{})
	}
	return n, err
}

func (p *process) Close() error {
	p.closing.Do(func() {
		p.end()
		p.keeper.hangUp()
		if err := p.keeper.remove(); err != nil {
			p.closeErr = fmt.Errorf("close sandbox %s: %w", p.name, err)
		}
		p.gone.Wait()
		p.forget()
	})
	return p.closeErr
}
