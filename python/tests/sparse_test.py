# SPDX-License-Identifier: Apache-2.0
"""Sparse datasets against an array and a mask as the model."""
import threading
import unittest

import numpy as np
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import filigree
from support import Scratch

SHAPE = (9, 7, 5)


class Model:
    """The elements of a sparse dataset as an array, and which are defined."""

    def __init__(self, shape, dtype, fill):
        self.fill = np.asarray(fill, dtype)
        self.values = np.full(shape, fill, dtype)
        self.defined = np.zeros(shape, bool)

    def write(self, index, values):
        self.values[index] = values
        self.defined[index] = True

    def erase(self, index):
        self.values[index] = self.fill
        self.defined[index] = False

    def resize(self, length):
        def resized(array, value):
            made = np.full((length, *array.shape[1:]), value, array.dtype)
            both = min(length, len(array))
            made[:both] = array[:both]
            return made

        self.values, self.defined = resized(self.values, self.fill), resized(self.defined, False)


def boxes(shape):
    return st.tuples(*[st.tuples(st.integers(0, n), st.integers(0, n)).map(lambda pair: slice(min(pair), max(pair)))
                       for n in shape])


def indices(shape):
    one = [st.one_of(st.integers(-n, n - 1), st.just(slice(None)),
                     st.tuples(st.integers(0, n), st.integers(0, n), st.integers(1, 3)).map(lambda t: slice(*t)),
                     st.lists(st.integers(0, n - 1), min_size=1, max_size=4, unique=True).map(sorted)) for n in shape]
    return st.tuples(*one).filter(lambda index: sum(isinstance(each, list) for each in index) < 2)


operations = st.lists(st.one_of(
    st.tuples(st.just("box"), boxes(SHAPE), st.integers(1, 99)),
    st.tuples(st.just("erase"), boxes(SHAPE)),
    st.tuples(st.just("points"), st.lists(st.tuples(*[st.integers(0, n - 1) for n in SHAPE]), max_size=20)),
    st.tuples(st.just("sparse"), st.integers(0, SHAPE[0] - 1), st.integers(0, 1 << 20)),
    st.tuples(st.just("resize"), st.integers(1, SHAPE[0])),
    st.tuples(st.just("reopen")),
    st.tuples(st.just("read"), indices(SHAPE))), max_size=14)


class Operations(Scratch):
    """Random sequences of calls, in both forms of sparse data."""

    def run_sequence(self, sequence, portable):
        path = self.path(f"{len(list(self.folder.iterdir()))}.h5")  # a sequence that failed has left its file open
        file = filigree.File(path, "w")
        data = file.create_sparse_dataset("d", SHAPE, "i4", maxshape=(None, *SHAPE[1:]), chunks=(2, 3, 5),
                                          fillvalue=-1, portable=portable)
        model = Model(SHAPE, "i4", -1)
        for operation, *arguments in sequence:
            if operation == "reopen":
                file.close()
                file = filigree.File(path, "r+")
                data = file["d"]
            else:
                getattr(self, "do_" + operation)(data, model, *arguments)
            self.compare(data, model)
        file.close()

    def do_box(self, data, model, box, value):
        shape = model.values[box].shape
        values = np.arange(value, value + int(np.prod(shape))).reshape(shape)
        data[box] = values
        model.write(box, values)

    def do_erase(self, data, model, box):
        data.erase(box)
        model.erase(box)

    def do_points(self, data, model, points):
        points = [point for point in points if point[0] < len(model.values)]
        coords = np.array(points, np.int64).reshape(-1, 3).T
        values = np.arange(len(points)) + 1000
        data.sparse[...] = (coords, values)
        for point, value in zip(points, values):
            model.write(point, value)

    def do_sparse(self, data, model, frame, seed):
        if frame >= len(model.values):
            return
        matrix = scipy.sparse.random(*SHAPE[1:], density=0.2, format="csr", random_state=seed % 1000)
        matrix.data = np.arange(1, matrix.nnz + 1).astype("i4")
        data.sparse[frame] = matrix
        coo = matrix.tocoo()
        model.write((frame, coo.row, coo.col), coo.data)

    def do_resize(self, data, model, length):
        data.resize(length, axis=0)
        model.resize(length)

    def do_read(self, data, model, index):
        # numpy does not check lists where the result is empty.
        if any(max(each) >= n if isinstance(each, list) else isinstance(each, int) and not -n <= each < n
               for each, n in zip(index, model.values.shape)):
            with self.assertRaises(IndexError):
                data[index]
            return
        wanted = model.values[index]
        if any(isinstance(each, list) for each in index) and any(isinstance(each, int) for each in index):
            rows = tuple([each] if isinstance(each, int) else each for each in index)
            axes = tuple(i for i, each in enumerate(index) if isinstance(each, int))
            outer = model.values
            for axis, each in enumerate(rows):
                outer = outer[(slice(None),) * axis + (each,)]
            wanted = outer.squeeze(axes)
        np.testing.assert_array_equal(data[index], wanted)
        self.assertEqual(np.asarray(data.defined[index]).sum(), np.asarray(
            self.outer(model.defined, index)).sum())
        part = data.sparse[index]
        self.assertEqual(part.shape, np.shape(wanted))
        np.testing.assert_array_equal(part.to_dense(), wanted)
        np.testing.assert_array_equal(np.ma.filled(part.to_masked().mask), ~np.asarray(
            self.outer(model.defined, index)).reshape(np.shape(wanted)))

    @staticmethod
    def outer(array, index):
        for axis, each in enumerate(index):
            each = [each] if isinstance(each, int) else each
            array = array[(slice(None),) * axis + (each,)]
        return array

    def compare(self, data, model):
        np.testing.assert_array_equal(data[...], model.values)
        np.testing.assert_array_equal(data.defined[...], model.defined)
        self.assertEqual(data.nnz, model.defined.sum())
        sparse = data.sparse[...]
        np.testing.assert_array_equal(sparse.coords, np.stack(np.nonzero(model.defined)))
        np.testing.assert_array_equal(sparse.data, model.values[model.defined])
        masked = data.masked[...]
        np.testing.assert_array_equal(np.ma.getmaskarray(masked), ~model.defined)
        parts = list(data.iter_defined(7))
        self.assertTrue(all(part.nnz <= 7 for part in parts))
        if parts:
            np.testing.assert_array_equal(np.concatenate([part.coords for part in parts], axis=1), sparse.coords)
            np.testing.assert_array_equal(np.concatenate([part.data for part in parts]), sparse.data)

    @settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
    @given(operations)
    def test_structured_chunks(self, sequence):
        self.run_sequence(sequence, False)

    @settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
    @given(operations)
    def test_portable_form(self, sequence):
        self.run_sequence(sequence, True)


class Matrices(Scratch):
    def setUp(self):
        super().setUp()
        self.file = filigree.File(self.path(), "w")
        self.addCleanup(self.file.close)
        self.matrix = scipy.sparse.random(60, 40, 0.1, "csr", np.float32, random_state=1)

    def assert_equal(self, a, b):
        self.assertEqual(a.shape, b.shape)
        np.testing.assert_array_equal(a.toarray(), b.toarray())

    def test_a_matrix_becomes_a_sparse_dataset(self):
        for number, made in enumerate((self.matrix, self.matrix.tocsc(), self.matrix.tocoo())):
            self.file[f"m{number}"] = made
            data = self.file[f"m{number}"]
            self.assertTrue(data.is_sparse)
            self.assertEqual(data.nnz, self.matrix.nnz)
            for format in ("csr", "csc", "coo"):
                result = data.to_scipy(format)
                self.assertEqual(result.format, format)
                self.assert_equal(result, self.matrix)

    def test_indices_have_32_bits_where_they_fit(self):
        self.file["m"] = self.matrix
        result = self.file["m"].to_scipy()
        self.assertEqual((result.indices.dtype, result.indptr.dtype), (np.int32, np.int32))
        wide = self.file.create_sparse_dataset("wide", (3, 1 << 33), "f4", chunks=(1, 1 << 20))
        wide.sparse[...] = ([[0, 2], [5, (1 << 33) - 1]], [1.5, 2.5])
        self.assertEqual(wide.sparse[...].coords.dtype, np.int64)
        self.assertEqual(wide.to_scipy().indices.tolist(), [5, (1 << 33) - 1])

    def test_rows_and_columns_in_any_order_and_repeated(self):
        self.file["m"] = self.matrix
        data = self.file["m"]
        rows, columns = [7, 3, 3, -1], [5, 0, 39, 5]
        self.assert_equal(data.to_scipy(rows=rows), self.matrix[rows])
        self.assert_equal(data.to_scipy("csc", columns=columns), self.matrix[:, columns])
        self.assert_equal(data.to_scipy(rows=rows, columns=columns), self.matrix[rows][:, columns])
        self.assert_equal(data.to_scipy(rows=[]), self.matrix[[]])
        mask = np.arange(60) % 2 == 0
        self.assert_equal(data.to_scipy(rows=mask), self.matrix[mask])
        with self.assertRaises(IndexError):
            data.to_scipy(rows=[60])

    def test_duplicates_of_a_matrix_are_summed(self):
        duplicated = scipy.sparse.coo_matrix(([1, 2, 4], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
        self.file["m"] = duplicated
        np.testing.assert_array_equal(self.file["m"][...], [[0, 3], [4, 0]])

    def test_explicit_zeros_stay_defined(self):
        explicit = scipy.sparse.csr_matrix(([0.0, 1.0], ([0, 1], [0, 1])), shape=(2, 2))
        self.file["m"] = explicit
        self.assertEqual(self.file["m"].nnz, 2)

    def test_sparse_data_is_refused_where_it_would_become_dense(self):
        data = self.file.create_dataset("d", (60, 40))
        with self.assertRaises(TypeError):
            data[...] = self.matrix

    def test_a_fill_value_is_not_lost(self):
        data = self.file.create_sparse_dataset("d", (3, 3), "f4", fillvalue=2)
        with self.assertRaises(ValueError):
            data.to_scipy()
        with self.assertRaises(ValueError):
            data.sparse[...].to_scipy()
        self.assertEqual(data.sparse[...].fill_value, 2)

    def test_one_element_may_be_undefined(self):
        data = self.file.create_sparse_dataset("d", (3,), "f4", fillvalue=2)
        data[1] = 5
        for index, dense, defined in ((0, 2, False), (1, 5, True)):
            one = data.sparse[index]
            self.assertEqual((one.shape, one.nnz, one.to_dense()), ((), defined, dense))
            self.assertEqual(one.to_masked().mask, not defined)


class Appending(Scratch):
    def open(self, dtype="u2"):
        file = filigree.File(self.path(), "w")
        self.addCleanup(file.close)
        return file.create_sparse_dataset("frames", (0, 8, 6), dtype, maxshape=(None, 8, 6), chunks=(1, 8, 6),
                                          values=["shuffle", ("zstd", 3)], selection=["packed"])

    def test_points_regions_masks_and_empty_frames(self):
        data = self.open()
        image = np.arange(48).reshape(8, 6)
        with data.appender() as frames:
            self.assertEqual(frames.points(([1, 2], [3, 4]), [5, 6]), 0)
            self.assertEqual(frames.points([0, 47], [7, 8]), 1)
            self.assertEqual(frames.region((2, 3), np.full((2, 2), 9)), 2)
            self.assertEqual(frames.where(image, image > 40), 3)
            self.assertEqual(frames.empty(), 4)
            self.assertEqual(frames.frames, 5)
        expected = np.zeros((5, 8, 6))
        expected[0, [1, 2], [3, 4]] = 5, 6
        expected[1, [0, 7], [0, 5]] = 7, 8
        expected[2, 2:4, 3:5] = 9
        expected[3] = np.where(image > 40, image, 0)
        np.testing.assert_array_equal(data[...], expected)
        self.assertEqual(data.defined[4].sum(), 0)

    def test_frames_by_number_in_any_order(self):
        data = self.open()
        with data.appender() as frames:
            for number in (2, 0, 1):
                frames.points([number], [number + 1], frame=number)
        self.assertEqual([data[i, 0, i] for i in range(3)], [1, 2, 3])

    def test_threads(self):
        data = self.open("u4")
        with data.appender() as frames:
            def append(thread):
                for i in range(50):
                    number = frames.points([0, 1, 2], [thread, i, 7])
                    self.assertGreaterEqual(number, 0)
            threads = [threading.Thread(target=append, args=(t,)) for t in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        found = sorted((int(row[0, 0]), int(row[0, 1])) for row in data[...])
        self.assertEqual(found, [(t, i) for t in range(4) for i in range(50)])

    def test_values_that_do_not_fit_are_refused(self):
        frames = self.open("u1").appender()
        for values, error in (([300], OverflowError), ([-1], OverflowError), ([1.5], TypeError), (["x"], TypeError)):
            with self.assertRaises(error):
                frames.points([0], values)
        with self.assertRaises(IndexError):
            frames.points([48], [1])
        with self.assertRaises(ValueError):
            frames.where(np.zeros((2, 2)), np.zeros((2, 2), bool))
        frames.close()


class Selections(unittest.TestCase):
    @settings(max_examples=60, deadline=None)
    @given(boxes(SHAPE), boxes(SHAPE), boxes(SHAPE))
    def test_algebra(self, a, b, c):
        masks = []
        for box in (a, b, c):
            mask = np.zeros(SHAPE, bool)
            mask[box] = True
            masks.append(mask)
        x, y, z = (filigree.Selection(SHAPE, box) for box in (a, b, c))
        for made, mask in ((x | y - z, masks[0] | (masks[1] & ~masks[2])), (x & y, masks[0] & masks[1]),
                           (x ^ y, masks[0] ^ masks[1]), (~z, ~masks[2])):
            np.testing.assert_array_equal(made.mask(), mask)
            self.assertEqual(made.size, mask.sum())
            np.testing.assert_array_equal(made.coordinates(), np.stack(np.nonzero(mask)))
            self.assertEqual(made, filigree.Selection.from_mask(mask))

    def test_index_of_datasets(self):
        file = filigree.File.in_memory()
        values = np.arange(12).reshape(3, 4)
        data = file.create_dataset("d", data=values)
        chosen = filigree.Selection((3, 4), np.s_[1]) | filigree.Selection((3, 4), np.s_[:, 2])
        np.testing.assert_array_equal(data[chosen], values[chosen.mask()])
        data[chosen] = 0
        self.assertEqual(data[...].sum(), values[~chosen.mask()].sum())
        with self.assertRaises(TypeError):
            data[filigree.Selection((4, 4))]
        with self.assertRaises(ValueError):
            chosen | filigree.Selection((4, 4))


class Conversions(unittest.TestCase):
    def test_to_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = filigree.SparseArray([[0, 2], [1, 3]], [5, 6], (3, 4)).to_pandas()
        self.assertEqual(list(frame.columns), ["dim_0", "dim_1", "value"])
        self.assertEqual(frame.values.tolist(), [[0, 1, 5], [2, 3, 6]])

    def test_coordinates_are_checked(self):
        with self.assertRaises(ValueError):
            filigree.SparseArray([[0]], [1, 2], (3,))
        with self.assertRaises(ValueError):
            filigree.SparseArray([[0], [1]], [1], (3,))
        with self.assertRaises(TypeError):
            filigree.SparseArray([[0.5]], [1], (3,))


if __name__ == "__main__":
    unittest.main()
