# SPDX-License-Identifier: Apache-2.0
"""Files."""
from __future__ import annotations

import os
from types import TracebackType
from typing import Any

from . import _core
from .base import OpenFile, chunk_cache
from .errors import Error, FileArgumentError, NotFoundError, for_file
from .groups import Group

__all__ = ["File", "registered_drivers"]

#: The drivers of h5py, and what the library calls them.
_DRIVERS = {"sec2": "posix", "stdio": "posix", "core": "memory", "family": "family", "split": "split",
            "multi": "multi", "posix": "posix", "uring": "uring", "memory": "memory", "fileobj": ""}


def registered_drivers() -> frozenset[str]:
    """Returns the names of the drivers that File accepts."""
    return frozenset(_DRIVERS)


def _versions(libver: Any) -> dict[str, str]:
    if libver is None:
        return {}
    low, high = (libver, "latest") if isinstance(libver, str) else libver
    known = ("earliest", "v108", "v110", "v112", "v114", "v200", "latest")
    for each in (low, high):
        if each not in known:
            raise ValueError(f"libver {each!r} is none of {known}")
    return {"low": low, "high": high}


def _locking(locking: Any) -> dict[str, str]:
    if locking is None or locking == "best-effort":
        return {"locking": "automatic"} if locking else {}
    if locking in (True, "true"):
        return {"locking": "on"}
    if locking in (False, "false"):
        return {"locking": "off"}
    raise ValueError(f"Unsupported locking value: {locking!r}")


def _access_options(kwds: dict[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {**_versions(kwds.get("libver")), **_locking(kwds.get("locking"))}
    if kwds.get("alignment_interval", 1) != 1 or kwds.get("alignment_threshold", 1) != 1:
        options["alignment"] = int(kwds.get("alignment_interval", 1))
        options["alignment_threshold"] = int(kwds.get("alignment_threshold", 1))
    if kwds.get("page_buf_size"):
        options["page_buffer_bytes"] = int(kwds["page_buf_size"])
        options["page_buffer_metadata_percent"] = int(kwds.get("min_meta_keep") or 0)
        options["page_buffer_raw_percent"] = int(kwds.get("min_raw_keep") or 0)
    if kwds.get("meta_block_size"):
        options["metadata_block_bytes"] = int(kwds["meta_block_size"])
    return options


def _creation_options(kwds: dict[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if kwds.get("userblock_size"):
        size = int(kwds["userblock_size"])
        if size < 512 or size & (size - 1):
            raise ValueError("userblock_size must be a power of 2 that is at least 512")
        options["user_block_bytes"] = size
    if kwds.get("fs_strategy"):
        if kwds["fs_strategy"] not in ("fsm", "page", "aggregate", "none"):
            raise ValueError("Invalid file space strategy type")
        options["strategy"] = kwds["fs_strategy"]
        options["persist"] = bool(kwds.get("fs_persist", False))
        options["threshold"] = int(kwds.get("fs_threshold", 1))
        if kwds.get("fs_page_size"):
            options["page_bytes"] = int(kwds["fs_page_size"])
    if kwds.get("track_order"):
        options["track_order"] = True
    return options


def _driver_options(driver: str | None, kwds: dict[str, Any]) -> dict[str, Any]:
    if driver is None:
        return {}
    if driver not in _DRIVERS:
        raise ValueError(f'Unknown driver type "{driver}"')
    options: dict[str, Any] = {"driver": _DRIVERS[driver]} if _DRIVERS[driver] else {}
    if driver in ("core", "memory"):
        options["save"] = bool(kwds.pop("backing_store", True))
        kwds.pop("block_size", None)
    elif driver == "family":
        if kwds.get("memb_size"):
            options["member_bytes"] = int(kwds.pop("memb_size"))
    elif driver == "split":
        options["metadata_extension"] = _name(kwds.pop("meta_ext", "-m.h5"))
        options["raw_extension"] = _name(kwds.pop("raw_ext", "-r.h5"))
        for key in ("meta_ext", "raw_ext"):
            kwds.pop(key, None)
    if kwds:
        raise TypeError(f"the driver {driver!r} has no option {next(iter(kwds))!r}")
    return options


def _name(name: Any) -> str | bytes:
    return name if isinstance(name, (str, bytes)) else str(name)


def _is_file_like(name: Any) -> bool:
    return hasattr(name, "seek") and (hasattr(name, "read") or hasattr(name, "readinto"))


_KEYWORDS = frozenset(("libver", "userblock_size", "swmr", "rdcc_nslots", "rdcc_nbytes", "rdcc_w0", "track_order",
                       "fs_strategy", "fs_persist", "fs_threshold", "fs_page_size", "page_buf_size", "min_meta_keep",
                       "min_raw_keep", "locking", "alignment_threshold", "alignment_interval", "meta_block_size"))


class File(Group):
    """An HDF5 file, which is also its root group.

    `mode` is "r" (read, the default), "r+" (read and write, the file exists), "w" (create, an existing file is
    replaced), "w-" or "x" (create, the file does not exist), "a" (read and write, the file is created if needed).
    `name` is a path, an URL of a registered scheme, or a file-like object with seek() and read(). Other keywords are
    those of h5py.
    """

    def __init__(self, name: Any, mode: str = "r", driver: str | None = None, libver: Any = None,
                 userblock_size: int | None = None, swmr: bool = False, rdcc_nslots: int | None = None,
                 rdcc_nbytes: int | None = None, rdcc_w0: float | None = None, track_order: bool | None = None,
                 fs_strategy: str | None = None, fs_persist: bool = False, fs_threshold: int = 1,
                 fs_page_size: int | None = None, page_buf_size: int | None = None, min_meta_keep: int = 0,
                 min_raw_keep: int = 0, locking: Any = None, alignment_threshold: int = 1,
                 alignment_interval: int = 1, meta_block_size: int | None = None, **kwds: Any) -> None:
        given = {key: value for key, value in locals().items() if key in _KEYWORDS}
        if isinstance(name, Group):
            Group.__init__(self, File._of(name._open))
            return
        if mode not in ("r", "r+", "w", "w-", "x", "a", None):
            raise ValueError("Invalid mode; must be one of r, r+, w, w-, x, a")
        if fs_strategy and mode not in ("w", "w-", "x"):
            raise ValueError("Unable to set file space strategy of an existing file")
        mode = "r" if mode is None else mode
        access = {**_access_options(given), **_driver_options(driver, dict(kwds))}
        if driver is None and kwds:
            raise TypeError(f"File() got an unexpected keyword argument {next(iter(kwds))!r}")
        creation = _creation_options(given)
        cache = chunk_cache(given)
        opened = _open_file(name, mode, driver, bool(swmr), access, creation)
        if page_buf_size and opened.core.info()["strategy"] != "page":
            opened.core.close()
            raise FileArgumentError("a page buffer needs a file with the strategy 'page'")
        if userblock_size is not None and mode in ("r", "r+", "a"):
            if opened.core.info()["user_block_bytes"] != userblock_size:
                opened.core.close()
                raise ValueError(f"Requested userblock size ({userblock_size}) does not match that of the file")
        opened.chunk_cache = cache
        root = opened.core.root()
        super(Group, self).__init__(root, opened)

    @classmethod
    def _of(cls, opened: OpenFile) -> File:  # type: ignore[override]
        made = cls.__new__(cls)
        super(Group, made).__init__(opened.core.root(), opened)
        return made

    @classmethod
    def in_memory(cls, file_image: bytes | None = None, **kwargs: Any) -> File:
        """Creates a file in memory, or opens the bytes of one; `image()` returns its bytes."""
        unknown = set(kwargs) - _KEYWORDS - {"block_size"}
        if unknown:
            raise TypeError(f"in_memory() got an unexpected keyword argument {unknown.pop()!r}")
        access = _access_options(kwargs)
        cache = chunk_cache(kwargs)
        if file_image is None:
            core = _core.File.create_in_memory(_creation_options(kwargs), access)
        else:
            core = _core.File.open_image(bytes(file_image), True, access)
        opened = OpenFile(core, "", "r+", "core")
        opened.chunk_cache = cache
        return cls._of(opened)

    def image(self) -> bytes:
        """Flushes a file in memory and returns its bytes."""
        self._open.require_open()
        return self._open.core.image()

    @property
    def filename(self) -> str:
        """The name of the file."""
        self._open.require_open()
        name = self._open.name
        return name if isinstance(name, str) else os.fsdecode(name)

    @property
    def mode(self) -> str:
        """"r" or "r+": whether the file can be written."""
        self._open.require_open()
        return self._open.mode

    @property
    def driver(self) -> str:
        """The name of the driver."""
        self._open.require_open()
        return self._open.driver

    @property
    def libver(self) -> tuple[str, str]:
        """The version bounds: the oldest release that can read new objects, and the newest format used."""
        self._open.require_open()
        info = self._open.core.info()
        return info["low"], info["high"]

    @property
    def userblock_size(self) -> int:
        """The size of the user block in bytes."""
        self._open.require_open()
        size: int = self._open.core.info()["user_block_bytes"]
        return size

    @property
    def meta_block_size(self) -> int:
        """The size of the blocks that metadata is allocated from."""
        return 2048

    @property
    def info(self) -> dict[str, Any]:
        """Properties of the file."""
        self._open.require_open()
        return self._open.core.info()

    @property
    def attrs(self) -> Any:
        """The attributes of the root group."""
        from .attributes import AttributeManager

        return AttributeManager(self)

    @property
    def swmr_mode(self) -> bool:
        """Whether the file is written or read in SWMR mode. Setting it to True begins SWMR writing."""
        self._open.require_open()
        return self._open.is_swmr_reader or self._open.core.is_swmr_writer()

    @swmr_mode.setter
    def swmr_mode(self, value: bool) -> None:
        self._open.require_open()
        if not value or self._open.mode == "r":
            raise ValueError("SWMR mode of a file that is open for reading cannot be set, and that of no file ended")
        self._open.core.start_swmr_write()

    def flush(self) -> None:
        """Writes everything that is in memory to the file."""
        self._open.require_open()
        if self._open.mode != "r":
            self._open.core.flush()

    def refresh(self) -> None:
        """Sees what a SWMR writer has flushed since."""
        self._open.require_open()
        self._open.core.refresh()

    def close(self) -> None:
        """Flushes and closes the file. All objects of the file are closed too.

        A file of h5py (from_h5py) stays open there.
        """
        if self._open.is_closed:
            return
        if not self._open.is_borrowed:
            self._open.core.close()
        self._open.is_closed = True
        self._open.owner = None

    def __enter__(self) -> File:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 traceback: TracebackType | None) -> None:
        if self:
            self.close()

    def __repr__(self) -> str:
        if not self:
            return "<Closed HDF5 file>"
        return f'<HDF5 file "{os.path.basename(self.filename)}" (mode {self.mode})>'


def _open_file(name: Any, mode: str, driver: str | None, swmr: bool, access: dict[str, Any],
               creation: dict[str, Any]) -> OpenFile:
    if _is_file_like(name):
        if driver not in (None, "fileobj"):
            raise ValueError("a file-like object has no other driver")
        core, mode = _open_object(name, mode, access, creation)
        opened = OpenFile(core, repr(name), mode, "fileobj")
        opened.owner = name
        return opened
    if driver == "fileobj":
        raise ValueError("the driver 'fileobj' needs a file-like object")
    path = os.fspath(name)
    try:
        if swmr and mode == "r":
            core = _core.File.open_swmr(path, access)
        else:
            core, mode = _open_path(path, mode, access, creation)
    except Error as error:
        raise for_file(error, name) from None
    shown: Any = path if isinstance(path, str) else os.fsdecode(path)
    opened = OpenFile(core, shown, mode, "sec2" if driver is None else driver)
    opened.is_swmr_reader = swmr and mode == "r"
    if mode == "r" and not swmr and driver in (None, "sec2", "stdio"):
        opened.reopen = {"name": os.path.abspath(shown)}
    return opened


def _open_path(path: str | bytes, mode: str, access: dict[str, Any],
               creation: dict[str, Any]) -> tuple[_core.File, str]:
    if mode == "r":
        return _core.File.open(path, False, access), "r"
    if mode == "r+":
        return _core.File.open(path, True, access), "r+"
    if mode in ("w-", "x"):
        return _core.File.create(path, True, creation, access), "r+"
    if mode == "w":
        return _core.File.create(path, False, creation, access), "r+"
    try:
        return _core.File.open(path, True, access), "r+"
    except NotFoundError:
        return _core.File.create(path, True, creation, access), "r+"


def _open_object(stream: Any, mode: str, access: dict[str, Any],
                 creation: dict[str, Any]) -> tuple[_core.File, str]:
    has_bytes = stream.seek(0, 2) > 0
    if mode in ("w-", "x") and has_bytes:
        raise FileExistsError("the file-like object is not empty")
    if mode in ("w", "w-", "x") or (mode == "a" and not has_bytes):
        return _core.File.create_object(stream, False, creation, access), "r+"
    if mode == "r":
        return _core.File.open_object(stream, False, access), "r"
    return _core.File.open_object(stream, True, access), "r+"
