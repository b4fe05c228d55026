package sandbox

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"github.com/moby/moby/client"
	"golang.org/x/sync/semaphore"
)

const (
	// readBuffer is several of the engine's 32 KiB chunks, so that a burst costs one system call.
	readBuffer = 256 << 10
	// aheadBytes and aheadFrames bound what is read before anybody asks. Beyond them the process blocks in its write.
	aheadBytes  = 8 << 20
	aheadFrames = 256
	// settle bounds the time between the two signs of an end, the stream's and the container's.
	settle = 10 * time.Second
)

// dockerProcess owns two goroutines: drain reads the stream, watch waits for the container. Both end at Close.
type dockerProcess struct {
	d        *docker
	name, id string
	conn     net.Conn
	life     context.Context // ends at Close
	end      context.CancelFunc

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
}

// exit is what the engine said of the end, or why it could not.
type exit struct {
	code int
	err  error
}

func newDockerProcess(d *docker, name, id string, conn net.Conn, life context.Context, end context.CancelFunc) *dockerProcess {
	return &dockerProcess{
		d: d, name: name, id: id, conn: conn, life: life, end: end,
		frames:  make(chan []byte, aheadFrames),
		room:    semaphore.NewWeighted(aheadBytes),
		exited:  make(chan struct{}),
		sending: make(chan struct{}, 1),
	}
}

func (p *dockerProcess) run(wait client.ContainerWaitResult) {
	drained := make(chan struct{})
	p.gone.Go(func() {
		defer close(drained)
		p.drain()
	})
	p.gone.Go(func() { p.watch(wait, drained) })
}

func (p *dockerProcess) drain() {
	defer close(p.frames)
	stream := &demux{r: bufio.NewReaderSize(p.conn, readBuffer), errs: &tail{}}
	in := frameReader{r: stream}
	for {
		frame, err := in.next()
		if err != nil {
			p.err = p.ended(err, stream.errs)
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

// watch reports the exit, and ends a stream that does not end with its container.
func (p *dockerProcess) watch(wait client.ContainerWaitResult, drained <-chan struct{}) {
	select {
	case res := <-wait.Result:
		p.exit.code = int(res.StatusCode)
		if res.Error != nil {
			p.exit.err = errors.New(res.Error.Message)
		}
	case err := <-wait.Error: // the client sends one at Close, too
		p.exit.err = err
	}
	close(p.exited)
	late := time.NewTimer(settle)
	defer late.Stop()
	select {
	case <-drained:
	case <-p.life.Done():
	case <-late.C:
		_ = p.conn.Close()
	}
}

// ended turns the end of the stream into what Receive returns.
func (p *dockerProcess) ended(err error, stderr *tail) error {
	if p.life.Err() != nil {
		return p.closed()
	}
	if errors.Is(err, errFrame) {
		return fmt.Errorf("sandbox %s: %w%s", p.name, err, quoted(stderr))
	}
	late := time.NewTimer(settle)
	defer late.Stop()
	select {
	case <-p.exited:
	case <-p.life.Done():
		return p.closed()
	case <-late.C:
		return fmt.Errorf("sandbox %s: lost the connection to a running container: %w%s", p.name, err, quoted(stderr))
	}
	if p.life.Err() != nil {
		return p.closed()
	}
	if p.exit.err != nil {
		return fmt.Errorf("sandbox %s: lost the engine: %w", p.name, p.exit.err)
	}
	return &ExitError{Name: p.name, Code: p.exit.code, OOM: p.oom(), Stderr: stderr.String()}
}

func quoted(stderr *tail) string {
	if text := stderr.String(); text != "" {
		return "; stderr: " + text
	}
	return ""
}

func (p *dockerProcess) closed() error { return fmt.Errorf("sandbox %s: %w", p.name, os.ErrClosed) }

// oom asks again when a SIGKILL has no reason yet: the engine may learn of the exit before it learns of the reason.
func (p *dockerProcess) oom() bool {
	ctx, cancel := context.WithTimeout(p.life, settle)
	defer cancel()
	for range 4 {
		got, err := p.d.api.ContainerInspect(ctx, p.id, client.ContainerInspectOptions{})
		if err != nil || got.Container.State == nil {
			return false
		}
		if got.Container.State.OOMKilled || p.exit.code != 137 {
			return got.Container.State.OOMKilled
		}
		time.Sleep(100 * time.Millisecond)
	}
	return false
}

func (p *dockerProcess) Receive(ctx context.Context) ([]byte, error) {
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
func (p *dockerProcess) Send(ctx context.Context, frame []byte) error {
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
func (p *dockerProcess) write(ctx context.Context, frame []byte) (int64, error) {
	binary.LittleEndian.PutUint32(p.head[:], uint32(len(frame)))
	parts := net.Buffers{p.head[:], frame}
	set := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(set)
		_ = p.conn.SetWriteDeadline(time.Unix(1, 0))
	})
	n, err := parts.WriteTo(p.conn)
	if !stop() {
		<-set
		_ = p.conn.SetWriteDeadline(time.Time{})
	}
	return n, err
}

func (p *dockerProcess) Close() error {
	p.closing.Do(func() {
		p.end()
		_ = p.conn.Close()
		ctx, cancel := cleaning(context.Background())
		defer cancel()
		if err := p.d.removeContainer(ctx, p.id); err != nil {
			p.closeErr = fmt.Errorf("close sandbox %s: %w", p.name, err)
		}
		p.gone.Wait()
		p.d.forget(p)
	})
	return p.closeErr
}
