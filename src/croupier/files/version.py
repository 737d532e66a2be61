"""The version of the program, which every document and record names with its build."""

from functools import cache

__version__ = "0.1.0"


@cache
def program_version() -> str:
    """Return the version with the build: a hash of the modules, which a wheel contains."""
    # Imported here: `import croupier` reads this module and costs next to nothing.
    from hashlib import sha256  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    package = Path(__file__).parents[1]
    build_file = package / "shipped" / "build"
    if build_file.is_file():
        return f"{__version__}+{build_file.read_text(encoding='ascii')}"
    hashed = sha256()
    for path in sorted(package.rglob("*.py")):
        hashed.update(f"{path.relative_to(package).as_posix()}\0".encode())
        hashed.update(path.read_bytes())
    return f"{__version__}+{hashed.hexdigest()[:12]}"
