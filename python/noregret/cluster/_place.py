"""Places that every node of a cluster means the same by."""

from __future__ import annotations

from os import PathLike, fspath
from os.path import abspath

from .._errors import ContentError


def is_url(path: str) -> bool:
    """Whether a path is a URL."""
    scheme, separator, _ = path.partition("://")
    return bool(separator) and scheme.isalnum()


def place(path: str | PathLike[str]) -> str:
    """A path from the root, or a URL without a slash at its end."""
    text = fspath(path)
    return text.rstrip("/") if is_url(text) else abspath(text)


def joined(folder: str, name: str) -> str:
    """Something in a folder."""
    return f"{folder}/{name}"


def split(path: str) -> tuple[str, str]:
    """The folder that something is in, and its name there."""
    folder, _, name = path.rpartition("/")
    return folder or "/", name


def text_of(path: str, content: bytes) -> str:
    """The content of a text file."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise ContentError(f"{path} is not a text", None, path) from None
