"""Matrix Market files as Kith writes them: whole numbers, all entries given."""
import os
import warnings

from ._library import KithError

BANNER = b"%%MatrixMarket matrix coordinate integer general"
LONGEST_LINE = 1 << 20
SHORTEST_ENTRY = len("1 1 1\n")
LARGEST = 2**63 - 1  # what SciPy's integers hold; also what too large a number is read as


def _modules():
    try:
        import numpy
        import scipy.sparse
    except ImportError as missing:
        raise KithError(f"matrices need NumPy and SciPy ({missing}): install scipy") from None
    return numpy, scipy.sparse


def _size_line(file, path):
    """Reads up to the size line; returns (its line number, its three numbers)."""
    banner = file.readline(LONGEST_LINE).rstrip()
    if banner.lower() != BANNER.lower():
        raise KithError(f"{path}:1: expected {BANNER.decode()!r}, found {banner[:80]!r}")
    number = 1
    for line in iter(lambda: file.readline(LONGEST_LINE), b""):
        number += 1
        if line.startswith(b"%") or not line.strip():
            continue
        try:
            rows, columns, entries = map(int, line.split())
        except ValueError:
            break
        return number, (rows, columns, entries)
    raise KithError(f"{path}:{number}: expected rows, columns and entries, found {line[:80]!r}"
                    if number > 1 else f"{path}: expected a size line, found the end")


def read_matrix(path, ranks):
    """The ranks x ranks matrix in `path` as scipy.sparse.csr_matrix of 64-bit integers.

    Raises KithError. Memory is taken for what the file holds, not for what it says.
    """
    numpy, sparse = _modules()
    try:
        with open(path, "rb") as file:
            number, (rows, columns, entries) = _size_line(file, path)
            if (rows, columns) != (ranks, ranks):
                raise KithError(f"{path}:{number}: expected {ranks} x {ranks} entries, "
                                f"found {rows} x {columns}")
            room = os.fstat(file.fileno()).st_size - file.tell()
            if not 0 <= entries <= room // SHORTEST_ENTRY + 1:
                raise KithError(f"{path}:{number}: expected as many entries as the file has, "
                                f"found {entries}")
            with warnings.catch_warnings():
                warnings.simplefilter("error")  # what is no number is but a warning to NumPy
                numbers = numpy.fromfile(file, dtype=numpy.int64, sep=" ")
    except OSError as error:
        raise KithError(f"{path}: {error.strerror or error}") from None
    except (ValueError, DeprecationWarning):
        raise KithError(f"{path}: expected lines of three whole numbers, "
                        "found other text") from None
    if len(numbers) != 3 * entries:
        raise KithError(f"{path}: expected {entries} entries of three numbers, "
                        f"found {len(numbers)} numbers")
    return _checked(numpy, sparse, path, ranks, numbers.reshape(-1, 3))


def _checked(numpy, sparse, path, ranks, cells):
    places, weights = cells[:, :2], cells[:, 2]
    for wrong, expected in (((places < 1) | (places > ranks), f"ranks from 1 to {ranks}"),
                            ((weights < 0) | (weights == LARGEST), f"values below {LARGEST}")):
        if wrong.any():
            row = cells[int(numpy.argmax(wrong if wrong.ndim == 1 else wrong.any(axis=1)))]
            raise KithError(f"{path}: expected {expected}, found the entry "
                            f"{' '.join(map(str, row))}")
    cells_at = (places[:, 0] - 1, places[:, 1] - 1)
    return sparse.coo_matrix((weights, cells_at), shape=(ranks, ranks)).tocsr()
