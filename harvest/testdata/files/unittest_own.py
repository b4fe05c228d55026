import unittest

LIMIT = 9


def f(n):
    return n + 1


def pair(a, b):
    return [a, b]


class FTest(unittest.TestCase):
    def setUp(self):
        self.n = 5

    def test_f(self):
        self.assertEqual(f(30), 31)
        self.assertEqual(32, f(31), "either way round")
        self.assertEqual(f(LIMIT), f(9))
        self.assertTrue(f(1))
        self.assertTrue(f(2) == 3)
        self.assertFalse(f(3) == 3)
        self.assertIsNone(f(4), f(40))
        self.assertAlmostEqual(f(6), 7, 2)
        self.assertEqual(f(self.n), 6)
        self.fail(f(7))
        with self.assertRaises(TypeError):
            f("8")

    def test_pair(self):
        self.assertListEqual(pair(1, 2), [1, 2])
        self.assertCountEqual(pair(3, 4), [4, 3])
        self.assertEqual(sorted(pair(6, 5)), [5, 6])
        self.assertIn(1, pair(1, 7))
        self.assertEqual(*pair(8, 8))
