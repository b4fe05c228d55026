package pipelines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ConfigError is a mistake in a config that its user can mend. Its message names the file, the line and the key.
type ConfigError struct {
	File string
	Line int // 0 when the mistake has no place of its own
	Key  string
	Msg  string
}

func (e *ConfigError) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": ")
	if e.Key != "" {
		fmt.Fprintf(&b, "%s: ", e.Key)
	}
	b.WriteString(e.Msg)
	return b.String()
}

// decode reads strict YAML into out, whose fields hold the defaults. An unknown key is an error that names the
// nearest known one; all mistakes are reported at once, in the order of their lines.
func decode(file string, text []byte, overrides []string, out any) (*yaml.Node, error) {
	var doc, second yaml.Node
	documents := yaml.NewDecoder(bytes.NewReader(text))
	if err := documents.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, syntaxError(file, err)
	}
	if err := documents.Decode(&second); err == nil {
		return nil, &ConfigError{File: file, Line: second.Line, Msg: "a second YAML document begins here: a config is one"}
	}
	if len(doc.Content) == 0 {
		return nil, &ConfigError{File: file, Msg: "the config is empty; `tracemill validate --print` shows one with every default"}
	}
	root := doc.Content[0]
	for _, o := range overrides {
		if err := override(root, o); err != nil {
			return nil, err
		}
	}
	c := checker{file: file}
	c.check(root, reflect.TypeOf(out).Elem(), "", "")
	if len(c.errs) > 0 {
		return nil, errors.Join(c.errs...)
	}
	if err := root.Decode(out); err != nil {
		return nil, syntaxError(file, err)
	}
	return root, nil
}

// override sets one "a.b.0.c=value" from the command line in the tree, as if the file said so.
func override(root *yaml.Node, o string) error {
	bad := func(msg string) error { return &ConfigError{File: "--set " + o, Msg: msg} }
	path, text, ok := strings.Cut(o, "=")
	if !ok || path == "" {
		return bad("want KEY=VALUE, such as run.workers=4")
	}
	var value yaml.Node
	if err := yaml.Unmarshal([]byte(text), &value); err != nil || len(value.Content) != 1 {
		return bad(fmt.Sprintf("%q is not a YAML value", text))
	}
	n := root
	keys := strings.Split(path, ".")
	for i, key := range keys {
		next := child(n, key)
		switch {
		case next != nil:
		case n.Kind == yaml.MappingNode:
			next = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, next)
		default:
			return bad(fmt.Sprintf("there is no %s", strings.Join(keys[:i+1], ".")))
		}
		n = next
	}
	*n = *value.Content[0]
	clearLines(n)
	return nil
}

// clearLines takes the places out of nodes that are not in the file, so that no message names one.
func clearLines(n *yaml.Node) {
	n.Line, n.Column = 0, 0
	for _, c := range n.Content {
		clearLines(c)
	}
}

// lineOf finds the line of a dotted key, or of the nearest part of it that is there.
func lineOf(n *yaml.Node, key string) int {
	line := 0
	for part := range strings.SplitSeq(strings.ReplaceAll(key, "[", "."), ".") {
		next := child(n, strings.TrimSuffix(part, "]"))
		if next == nil {
			break
		}
		n, line = next, next.Line
	}
	return line
}

func child(n *yaml.Node, key string) *yaml.Node {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == key {
				return n.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(key); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
	}
	return nil
}

// syntaxError turns the YAML library's "yaml: line 3: ..." into file:line form.
func syntaxError(file string, err error) error {
	msgs := []string{strings.TrimPrefix(err.Error(), "yaml: ")}
	var types *yaml.TypeError
	if errors.As(err, &types) {
		msgs = types.Errors
	}
	var all []error
	for _, msg := range msgs {
		e := &ConfigError{File: file, Msg: msg}
		if rest, ok := strings.CutPrefix(msg, "line "); ok {
			if n, what, ok := strings.Cut(rest, ": "); ok {
				if line, err := strconv.Atoi(n); err == nil {
					e.Line, e.Msg = line, what
				}
			}
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}

// checker compares a YAML tree with the Go type that it is meant for. The library's own strict mode is lost
// inside custom unmarshalers and names neither the path nor a nearby key.
type checker struct {
	file string
	errs []error
}

func (c *checker) fail(n *yaml.Node, key, format string, args ...any) {
	c.errs = append(c.errs, &ConfigError{File: c.file, Line: n.Line, Key: key, Msg: fmt.Sprintf(format, args...)})
}

func (c *checker) check(n *yaml.Node, t reflect.Type, path string, unit string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case n.Kind == yaml.ScalarNode:
		c.scalar(n, t, path, unit)
	case n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice:
		for i, item := range n.Content {
			c.check(item, t.Elem(), fmt.Sprintf("%s[%d]", path, i), unit)
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Map:
		for i := 0; i+1 < len(n.Content); i += 2 {
			c.check(n.Content[i+1], t.Elem(), join(path, n.Content[i].Value), unit)
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct:
		c.mapping(n, t, path)
	default:
		c.fail(n, path, "is a %s, want %s", nodeKind(n), typeKind(t))
	}
}

func (c *checker) mapping(n *yaml.Node, t reflect.Type, path string) {
	fields := fieldsOf(t)
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if line, twice := seen[key.Value]; twice {
			c.fail(key, join(path, key.Value), "is given twice, first on line %d", line)
			continue
		}
		seen[key.Value] = key.Line
		f, ok := fields[key.Value]
		if !ok {
			c.fail(key, join(path, key.Value), "unknown key%s", suggest(key.Value, fields))
			continue
		}
		c.check(value, f.Type, join(path, key.Value), f.Tag.Get("unit"))
	}
}

// scalar checks what the library would report without the key, and turns "64MiB" into a number where the field
// counts bytes.
func (c *checker) scalar(n *yaml.Node, t reflect.Type, path, unit string) {
	switch {
	case n.Tag == "!!null":
	case unit == "bytes" && t.Kind() == reflect.Int64:
		size, err := parseBytes(n.Value)
		if err != nil {
			c.fail(n, path, "%v", err)
			return
		}
		n.Value, n.Tag, n.Style = strconv.FormatInt(size, 10), "!!int", 0
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Slice || t.Kind() == reflect.Map:
		c.fail(n, path, "is a scalar, want %s", typeKind(t))
	default:
		if err := n.Decode(reflect.New(t).Interface()); err != nil {
			c.fail(n, path, "%q is not %s", n.Value, typeKind(t))
		}
	}
}

// fieldsOf is the YAML keys of a struct, those of inlined structs included.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, opts, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case strings.Contains(opts, "inline"):
			for k, v := range fieldsOf(f.Type) {
				fields[k] = v
			}
		case name != "" && name != "-":
			fields[name] = f
		}
	}
	return fields
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func nodeKind(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "mapping"
	case yaml.SequenceNode:
		return "list"
	}
	return "scalar"
}

func typeKind(t reflect.Type) string {
	switch {
	case t.String() == "time.Duration":
		return `a duration such as "5s"`
	case t.Kind() == reflect.Struct || t.Kind() == reflect.Map:
		return "a mapping"
	case t.Kind() == reflect.Slice:
		return "a list"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Float64:
		return "a number"
	case t.Kind() == reflect.String:
		return "a string"
	}
	return "a whole number"
}
