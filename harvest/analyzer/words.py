"""The vocabulary of generated arguments. It is small on purpose: values that occur in two arguments meet."""

WORDS = (
    "hello", "abc", "hello world", "Hello World", "banana", "a b c", "racecar", "foo bar baz", "x1y2z3", "12", "Python 3.8",
    "one,two,three", "key=value", "  padded  ", "line one\nline two\n", "a-b_c", "UPPER lower", "aAbBcC", "a.b.c", "2024-02-29", "mississippi",
    "don't stop!", "(a+b)*c", "caf\u00e9", "path/to/file.txt", "0", "-7", "3.14", "aab", "Title", "tab\there", "name: x; id: 5", "b", "UPPER",
    "ab12cd", "01101", "test@example.com", "[1, 2]", "zzz",
)
CHARACTERS = "abcxyzhelo ,.-_:/AB0129 \n"
INTEGERS = ("1", "2", "3", "4", "5", "6", "7", "8", "10", "12", "15", "20", "3", "2", "1", "0", "-2", "42", "-7", "100")
FLOATS = ("0.5", "1.5", "2.0", "3.25", "-0.75", "10.0", "0.1", "100.0")
BYTES = ("b'abc'", "b'hello world'", "b'\\x01\\x02\\x03\\x04'", "b'a=b&c'", "b'line\\n'", "b'0123456789abcdef'")
