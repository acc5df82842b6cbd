"""Where somebody may be led after sign-in: a path of this very site, nothing else."""

HOME = "/week"
_LONGEST = 512


def is_local(path: str) -> bool:
    """Whether a browser takes `path` for a path of the site that it is on.

    Browsers read a backslash as a slash and skip control characters, so neither is allowed.
    """
    if not path.startswith("/") or path.startswith("//") or len(path) > _LONGEST:
        return False
    return "\\" not in path and path.isascii() and all(letter > " " for letter in path)


def after_sign_in(path: str | None) -> str:
    """`path` where it is a local one that sign-in may lead to, else the week."""
    if path and is_local(path) and not path.startswith("/sign-"):
        return path
    return HOME
