"""Random numbers that depend on names alone: the same in any process, on any machine, from any starting point."""

import hashlib

import numpy as np


class RandomBlock:
    """The random numbers of one block of a stream.

    The key is a SHA-256 digest of the stream's names and the block's number, the generator is Philox, and only its raw 64-bit
    output is used, which numpy keeps the same from version to version.

    Args:
        *names: what the stream is of, strings or integers, such as `"scan", "iid", "train", 0, 17`.

    Example:

    >>> RandomBlock("scan", "iid", "train", 0, 0).integers(10, (3,)).tolist()
    [0, 8, 9]
    """

    def __init__(self, *names):
        digest = hashlib.sha256("/".join(str(name) for name in names).encode()).digest()
        self._generator = np.random.Philox(key=np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64))

    def uniform(self, shape) -> np.ndarray:
        """Floats in [0, 1)."""
        raw = self._generator.random_raw(int(np.prod(shape))).reshape(shape)
        return (raw >> np.uint64(11)) * 2.0**-53

    def integers(self, bound, shape) -> np.ndarray:
        """Integers from 0 to `bound` - 1, each as likely; `bound` may be an array that broadcasts to `shape`."""
        return np.floor(self.uniform(shape) * bound).astype(np.int64)
