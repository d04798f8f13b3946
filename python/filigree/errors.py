# SPDX-License-Identifier: Apache-2.0
"""Exceptions.

Every failure of the library is an `Error` with a `kind`, and also the exception that h5py raises in this case. Its
text is that of the C++ API: the operations that were interrupted, from the outermost to the innermost, and the reason.
"""
from __future__ import annotations

import errno


class Error(Exception):
    """A failure of the library. `kind` is its category, such as "not found"."""

    kind: str = "internal"
    #: The reason without the operations that it interrupted.
    message: str = ""

    def __str__(self) -> str:
        return self._text or super().__str__()

    _text: str = ""


class RangeError(ValueError, OverflowError):
    """A number is negative or too large. h5py raises OverflowError for some of these."""


class InvalidArgumentError(Error, ValueError):
    """An argument is invalid, or arguments contradict each other."""


class NotFoundError(Error, KeyError):
    """There is no object, link or attribute of that name."""


class PathError(NotFoundError, ValueError):
    """The path along which a link is created or moved does not exist."""


class FileMissingError(Error, FileNotFoundError):
    """There is no such file."""


class FileArgumentError(Error, ValueError, OSError):
    """A file cannot be opened or created with these arguments."""


class ReadOnlyLinkError(Error, KeyError, ValueError, PermissionError):
    """A link cannot be removed: the file is open for reading only."""


class AlreadyExistsError(Error, ValueError, FileExistsError):
    """The name is in use."""


class WrongTypeError(Error, TypeError):
    """The object has another type than the call needs."""


class FormatError(Error, OSError):
    """The file is no HDF5 file, incomplete, or contradicts the format."""


class UnsupportedError(Error, NotImplementedError):
    """Valid, but not supported by this version."""


class LimitError(Error, ValueError):
    """A limit of the format or of the options is exceeded."""


class ReadOnlyError(Error, ValueError, PermissionError):
    """The file is open for reading only."""


class LockedError(Error, BlockingIOError):
    """Another process, or another open file of this one, has locked the file."""


class AccessError(Error, PermissionError):
    """The operating system denies access."""


class IoError(Error, OSError):
    """A failure of the operating system or of a driver."""


class ConversionError(Error, ValueError, OSError):
    """The destination type cannot represent a value."""


class ClosedError(Error, ValueError, TypeError):
    """The file of the object has been closed."""


class DivergedError(Error, RuntimeError):
    """Processes that use a file together are in different calls, or have made different changes."""


class InternalError(Error, RuntimeError):
    """A fault of Filigree."""


_CLASSES: dict[str, tuple[type[Error], int | None]] = {
    "invalid argument": (InvalidArgumentError, None),
    "not found": (NotFoundError, None),
    "already exists": (AlreadyExistsError, errno.EEXIST),
    "wrong type": (WrongTypeError, None),
    "not an HDF5 file": (FormatError, None),
    "truncated": (FormatError, None),
    "corrupt": (FormatError, None),
    "unsupported": (UnsupportedError, None),
    "limit exceeded": (LimitError, None),
    "read-only": (ReadOnlyError, errno.EACCES),
    "locked": (LockedError, errno.EAGAIN),
    "permission denied": (AccessError, errno.EACCES),
    "no space left": (IoError, errno.ENOSPC),
    "input/output error": (IoError, errno.EIO),
    "conversion": (ConversionError, None),
    "closed": (ClosedError, None),
    "diverged": (DivergedError, None),
}


def make(kind: str, text: str, message: str) -> Error:
    """Returns the exception for an error of the library."""
    made, number = _CLASSES.get(kind, (InternalError, None))
    return fill(made, kind, text, message, number)


def fill(made: type[Error], kind: str, text: str, message: str, number: int | None) -> Error:
    """Returns an exception of the class `made`."""
    exception = made(number, text) if number is not None else made(text)
    if isinstance(exception, OSError) and number is not None:
        exception.errno, exception.strerror = number, text  # another base may have another constructor
    exception.kind = kind
    exception.message = message
    exception._text = text
    return exception


def for_file(error: Error, name: object) -> Error:
    """Returns the exception that opening the file `name` raises: a missing file is no missing key."""
    if isinstance(error, InvalidArgumentError):
        error = fill(FileArgumentError, error.kind, str(error), error.message, None)
    if not isinstance(error, NotFoundError):
        if isinstance(error, OSError) and error.filename is None:
            error.filename = name
        return error
    missing = fill(FileMissingError, error.kind, str(error), error.message, errno.ENOENT)
    assert isinstance(missing, OSError)
    missing.filename = name
    return missing
