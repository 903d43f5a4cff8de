"""Makes folders that only their owner can enter, every missing level of them."""

from pathlib import Path


def make_private_folder(path: Path) -> None:
    """The folder and each missing level above it, all 0700; a level that exists is left as it is. Blocking.

    Raises:
        NotADirectoryError: it exists and is no folder.
        OSError: a level cannot be made.
    """
    missing = [level for level in (path, *path.parents) if not level.exists()]
    for level in reversed(missing):
        level.mkdir(mode=0o700, exist_ok=True)
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is not a folder")
