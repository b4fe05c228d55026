package schema

import "reflect"

// Values is a row by the names of its columns, nested structs likewise: what a reader of the table gets.
func Values[T Row](row *T) map[string]any {
	return structValues(reflect.ValueOf(row).Elem())
}

func structValues(v reflect.Value) map[string]any {
	values := make(map[string]any, v.NumField())
	for i := range v.NumField() {
		f := v.Field(i)
		name := columnName(v.Type().Field(i))
		if f.Kind() != reflect.Slice {
			values[name] = f.Interface()
			continue
		}
		items := make([]any, f.Len())
		for k := range items {
			if item := f.Index(k); item.Kind() == reflect.Struct {
				items[k] = structValues(item)
			} else {
				items[k] = item.Interface()
			}
		}
		values[name] = items
	}
	return values
}
