package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// unsandboxed runs commands as they are: with the rights of this user, on this machine's files and network.
//
// A process has a directory of its own for its files and for what programs write, which is removed when it is closed. What
// it runs is told apart from the rest of the machine by descent alone, so the command has to see to it that orphans among
// its descendants become its own children.
type unsandboxed struct {
	image Image
	dir   string
	live  *live
}

// PlaceVariable is the environment variable that gives a command without a sandbox the directory that programs may write to.
const PlaceVariable = "TRACEMILL_UNSANDBOXED"

// OpenUnsandboxed finds the host's interpreter. The runtime isolates nothing: programs can do whatever this user can.
func OpenUnsandboxed(ctx context.Context, python string) (Runtime, error) {
	py, err := findInterpreter(ctx, python)
	if err != nil {
		return nil, err
	}
	files, err := hostTree(ctx, py)
	if err != nil {
		return nil, err
	}
	digest, err := writeLayer(io.Discard, py, files)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "tracemill-unsandboxed-*")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	return &unsandboxed{
		// Another image than the same interpreter in a sandbox, since programs see more of the machine.
		image: Image{Name: Unsandboxed, ID: Unsandboxed + ":" + digest, Python: py.Executable, Version: py.Version},
		dir:   dir, live: newLive(Unsandboxed),
	}, nil
}

func (u *unsandboxed) Name() string { return Unsandboxed }

func (u *unsandboxed) Image() Image { return u.image }

func (u *unsandboxed) Start(ctx context.Context, spec Spec) (Process, error) {
	return u.live.start(ctx, spec, func(ctx context.Context) (*process, error) { return u.launch(ctx, spec) })
}

func (u *unsandboxed) Close() error {
	first, err := u.live.close()
	if !first {
		return nil
	}
	return errors.Join(err, removeTree(u.dir))
}

// bare keeps a process without a sandbox.
type bare struct {
	childProcess
	dir string
}

func (u *unsandboxed) launch(ctx context.Context, spec Spec) (_ *process, err error) {
	dir, err := os.MkdirTemp(u.dir, "process-*")
	if err != nil {
		return nil, fmt.Errorf("make a directory: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, removeTree(dir))
		}
	}()
	files, place := filepath.Join(dir, "files"), filepath.Join(dir, "place")
	if err := errors.Join(os.Mkdir(files, 0o755), os.Mkdir(place, 0o755)); err != nil {
		return nil, err
	}
	for name, content := range spec.Files {
		path := filepath.Join(files, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, content, 0o444); err != nil {
			return nil, err
		}
	}
	command := slices.Clone(spec.Command)
	for i, word := range command {
		if rest, under := strings.CutPrefix(word, FilesDir+"/"); under {
			command[i] = filepath.Join(files, rest)
		}
	}
	cmd := &exec.Cmd{
		Path: command[0], Args: command, Dir: place,
		Env: []string{"HOME=" + place, PlaceVariable + "=" + place},
		// A session of its own, so that what a terminal sends to us it is not sent.
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
	}
	for key, value := range spec.Env {
		if key != "HOME" {
			cmd.Env = append(cmd.Env, key+"="+value)
		}
	}
	var theirs opened
	defer theirs.close()
	k := &bare{dir: dir}
	if err := k.connect(cmd, &theirs); err != nil {
		return nil, fmt.Errorf("make pipes: %w", err)
	}
	if err := k.start(); err != nil {
		return nil, err
	}
	k.watch()
	p := newProcess(ctx, spec.Name, k, k.stdin, k.stdout, k.stderr.String)
	p.run()
	u.live.keep(p)
	return p, nil
}

func (k *bare) wait(ctx context.Context) exit {
	select {
	case <-k.done:
	case <-ctx.Done():
		return exit{err: ctx.Err()}
	}
	code, _ := k.code()
	return exit{code: code}
}

// remove stops the process, so that it starts nothing more, kills what descends from it until nothing does, and then it. What
// has lost its parent, since that ended by itself, is known by the environment that it began with.
func (k *bare) remove() error {
	pid := k.cmd.Process.Pid
	_ = k.cmd.Process.Signal(syscall.SIGSTOP)
	deadline := time.Now().Add(cleanTimeout)
	mark := []byte(PlaceVariable + "=" + filepath.Join(k.dir, "place") + "\x00")
	for {
		below := append(descendants(pid), marked(mark)...)
		for _, one := range below {
			if one != pid {
				_ = syscall.Kill(one, syscall.SIGKILL)
			}
		}
		if len(below) == 0 || len(below) == 1 && below[0] == pid || time.Now().After(deadline) {
			break
		}
		time.Sleep(time.Millisecond)
	}
	_ = k.cmd.Process.Kill()
	select {
	case <-k.done:
	case <-time.After(time.Until(deadline)):
		return fmt.Errorf("process %d does not end", pid)
	}
	return removeTree(k.dir)
}

// marked are the living processes that began with an environment that has mark.
func marked(mark []byte) []int {
	var all []int
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range environments {
		text, _ := os.ReadFile(name)
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil && bytes.Contains(text, mark) {
			all = append(all, pid)
		}
	}
	return all
}

// descendants are the living processes below one.
func descendants(root int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		// State and parent come after the program's name, which may itself hold blanks and parentheses.
		text, _ := os.ReadFile(name)
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) < 2 || fields[0] == "Z" {
			continue
		}
		pid, err1 := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		parent, err2 := strconv.Atoi(fields[1])
		if err1 == nil && err2 == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	below := slices.Clone(children[root])
	for i := 0; i < len(below); i++ {
		below = append(below, children[below[i]]...)
	}
	return below
}
