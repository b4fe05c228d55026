package shard

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/tracemill/tracemill/schema"
)

func arrowFields[T schema.Row]() []arrow.Field { return fieldsOf(reflect.TypeFor[T]()) }

func fieldsOf(t reflect.Type) []arrow.Field {
	var fields []arrow.Field
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("parquet"), ",")
		fields = append(fields, arrow.Field{Name: name, Type: arrowType(t.Field(i).Type), Nullable: true})
	}
	return fields
}

func arrowType(t reflect.Type) arrow.DataType {
	switch t.Kind() {
	case reflect.String:
		return arrow.BinaryTypes.String
	case reflect.Bool:
		return arrow.FixedWidthTypes.Boolean
	case reflect.Int32:
		return arrow.PrimitiveTypes.Int32
	case reflect.Int64:
		return arrow.PrimitiveTypes.Int64
	case reflect.Slice:
		return arrow.ListOf(arrowType(t.Elem()))
	case reflect.Struct:
		return arrow.StructOf(fieldsOf(t)...)
	}
	panic(fmt.Sprintf("no column has the type %v", t))
}

func appendRow[T schema.Row](b *array.RecordBuilder, row *T) {
	v := reflect.ValueOf(row).Elem()
	for i := range v.NumField() {
		appendValue(b.Field(i), v.Field(i))
	}
}

func appendValue(b array.Builder, v reflect.Value) {
	switch b := b.(type) {
	case *array.StringBuilder:
		b.Append(v.String())
	case *array.BooleanBuilder:
		b.Append(v.Bool())
	case *array.Int32Builder:
		b.Append(int32(v.Int()))
	case *array.Int64Builder:
		b.Append(v.Int())
	case *array.ListBuilder:
		b.Append(true)
		for i := range v.Len() {
			appendValue(b.ValueBuilder(), v.Index(i))
		}
	case *array.StructBuilder:
		b.Append(true)
		for i := range v.NumField() {
			appendValue(b.FieldBuilder(i), v.Field(i))
		}
	}
}

// features describes columns as dataset_info.json does: in the words that every version of datasets understands.
// A list of structs is a JSON list, since a "Sequence" of them would be turned into a struct of lists.
func features(fields []arrow.Field) orderedObject {
	var object orderedObject
	for _, field := range fields {
		object = append(object, member{field.Name, feature(field.Type)})
	}
	return object
}

func feature(t arrow.DataType) any {
	switch t := t.(type) {
	case *arrow.StructType:
		return features(t.Fields())
	case *arrow.ListType:
		item := feature(t.Elem())
		if _, isStruct := item.(orderedObject); isStruct {
			return []any{item}
		}
		return map[string]any{"feature": item, "length": -1, "_type": "Sequence"}
	case *arrow.BooleanType:
		return map[string]any{"dtype": "bool", "_type": "Value"}
	case *arrow.StringType:
		return map[string]any{"dtype": "string", "_type": "Value"}
	default:
		return map[string]any{"dtype": t.Name(), "_type": "Value"}
	}
}
