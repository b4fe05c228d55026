package pipelines

import (
	"encoding/json"
	"io"
	"path"
	"reflect"
	"time"

	"github.com/invopop/jsonschema"
)

// PrintSchema writes the JSON Schema of configs, made from the Go types, for editors that check YAML by one.
func PrintSchema(w io.Writer) error {
	r := jsonschema.Reflector{FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, Namer: qualified, Mapper: durations}
	s := r.Reflect(&Config{})
	s.ID = "https://github.com/tracemill/tracemill/config"
	s.Title = "Tracemill config"
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(s)
}

// qualified names a definition by package and type: several packages have a type Options.
func qualified(t reflect.Type) string {
	if t.Name() == "" {
		return ""
	}
	return path.Base(t.PkgPath()) + "." + t.Name()
}

// durations are written as YAML has them, and not as a number of nanoseconds.
func durations(t reflect.Type) *jsonschema.Schema {
	if t != reflect.TypeFor[time.Duration]() {
		return nil
	}
	return &jsonschema.Schema{Type: "string", Examples: []any{"5s", "1m30s"}}
}
