package pipelines

import (
	"encoding/json"
	"io"

	"github.com/invopop/jsonschema"
)

// PrintSchema writes the JSON Schema of configs, made from the Go types, for editors that check YAML by one.
func PrintSchema(w io.Writer) error {
	r := jsonschema.Reflector{FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true}
	s := r.Reflect(&Config{})
	s.ID = "https://github.com/tracemill/tracemill/config"
	s.Title = "Tracemill config"
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(s)
}
