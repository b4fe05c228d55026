package schema

import "fmt"

// jsonEscapes holds, per byte, how a JSON string writes it, "" where it stands as it is: the way of Python's
// json.dumps(ensure_ascii=False). A "<" is escaped only before a "|", so that no text can forge a special token.
var jsonEscapes = func() (table [256]string) {
	for c := range 0x20 {
		table[c] = fmt.Sprintf(`\u%04x`, c)
	}
	table['"'], table['\\'] = `\"`, `\\`
	table['\n'], table['\r'], table['\t'], table['\f'], table['\b'] = `\n`, `\r`, `\t`, `\f`, `\b`
	table['<'] = `\u003c`
	return table
}()

// JSONEscape is how a JSON string of a text writes the byte at i of s; "" where it stands as it is.
func JSONEscape(s string, i int) string {
	c := s[i]
	if c == '<' && (i+1 == len(s) || s[i+1] != '|') {
		return ""
	}
	return jsonEscapes[c]
}
