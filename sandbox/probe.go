package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// askTimeout bounds the first run of an image, which unpacks it on some engines.
const askTimeout = 2 * time.Minute

// usualPath is for images that have none, such as bare root file systems.
const usualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// probe runs the interpreter at path inside, or the python3 on PATH where it is empty, to say what it is.
func probe(path string) Spec {
	spec := Spec{Name: "probe", Command: append([]string{"python3"}, askFlags...), Env: map[string]string{"PATH": usualPath}}
	if path != "" {
		spec.Command[0] = path
	}
	return spec
}

// answer is what a probe says. It closes the process.
func (p *process) answer(ctx context.Context) (interpreter, error) {
	var py interpreter
	answer, err := p.Receive(ctx)
	if err == nil {
		err = json.Unmarshal(answer, &py)
	}
	if err = errors.Join(err, p.Close()); err != nil {
		return interpreter{}, err
	}
	return py, py.check()
}
