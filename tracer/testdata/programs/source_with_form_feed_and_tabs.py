# tests: form feeds between functions and tabs as indentation, alone and after spaces within a continued line


def scale(n):
	if n > 1:
		return n * 2
	return n


def main():
	total = 0
	for n in range(3):
		total += scale(n)
	values = [	scale(1),
  	  scale(2)]
	text = "a	tab"

	return total, values, text
