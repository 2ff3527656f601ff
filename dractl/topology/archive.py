"""A gathered tarball as a tree of files, read in memory and never written to a disk.

Only what says something about topology is kept. A hostile archive is bounded: by the bytes that come out of it, by the
number of its members and by the size of each file; links are kept as text and followed inside the tree only.
"""

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from collections.abc import Callable
from typing import IO, Final, cast

from dractl.topology.dumps import Unreadable
from dractl.topology.files import MOST_BYTES_OF_A_FILE, MOST_FILES, FileTree, is_wanted

MOST_BYTES: Final = 512 * 1024 * 1024
"""Of the archive when it is unpacked. A server with 1,000 CPUs gathers about 100 MB."""

_TAR_MAGIC_AT: Final = 257

_COMPRESSIONS: Final[dict[bytes, Callable[[io.BytesIO], object]]] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
_UNKNOWN: Final = {b"\x28\xb5\x2f\xfd": "zstd", b"PK\x03\x04": "zip", b"7z\xbc\xaf": "7z"}


class _TooLarge(Exception):
    pass


class _Bounded(io.RawIOBase):
    """A stream that refuses to give more than a number of bytes."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream = stream
        self._left = most

    def read(self, size: int = -1) -> bytes:
        """Read like the stream below; raises _TooLarge when the bound is passed."""
        data = self._stream.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise _TooLarge
        return data


def is_archive(content: bytes) -> bool:
    """Whether bytes begin like an archive, one that is read or one that is refused."""
    return (
        any(content.startswith(magic) for magic in (*_COMPRESSIONS, *_UNKNOWN))
        or content[_TAR_MAGIC_AT : _TAR_MAGIC_AT + 5] == b"ustar"
    )


def read_archive(content: bytes, *, most_bytes: int = MOST_BYTES) -> FileTree:
    """The files and links of a tarball that say something about topology.

    Raises Unreadable where the archive is damaged, cut short, no tar, or larger than `most_bytes`.
    """
    for magic, name in _UNKNOWN.items():
        if content.startswith(magic):
            raise Unreadable(f"{name} archives are not read", "pack it as .tar.gz, .tar.bz2 or .tar.xz")
    try:
        stream = cast("IO[bytes]", _Bounded(_unpacked(content), most_bytes))
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            return _gather(archive)
    except _TooLarge:
        raise Unreadable(
            f"the archive unpacks to more than {most_bytes // 1024**2} MiB, which no gathered sysfs tree does",
            "pack only /sys/devices/system/cpu, /sys/devices/system/node and /sys/bus/pci",
        ) from None
    except (tarfile.TarError, OSError, EOFError, lzma.LZMAError, zlib.error, ValueError) as error:
        raise Unreadable(
            f"the archive is damaged or no tar: {error or type(error).__name__}", "gather it once more"
        ) from None


def _unpacked(content: bytes) -> IO[bytes]:
    raw = io.BytesIO(content)
    for magic, opened in _COMPRESSIONS.items():
        if content.startswith(magic):
            return cast("IO[bytes]", opened(raw))
    return raw


def _gather(archive: tarfile.TarFile) -> FileTree:
    files: dict[str, bytes] = {}
    links: dict[str, str] = {}
    for number, member in enumerate(archive):
        archive.members.clear()  # type: ignore[attr-defined]  # tarfile keeps every header otherwise
        if number >= MOST_FILES:
            raise Unreadable(f"the archive has more than {MOST_FILES} members", "pack only what is needed of /sys")
        if not is_wanted(member.name.rstrip("/")) and not member.issym():
            continue
        if member.issym():
            links[member.name] = member.linkname
        elif member.islnk():
            links[member.name] = "/" + member.linkname
        elif member.isreg() and member.size <= MOST_BYTES_OF_A_FILE:
            opened = archive.extractfile(member)
            files[member.name] = opened.read() if opened is not None else b""
    return FileTree(files, links)
