"""What the wheel has beyond the modules: built forms of the law, documents and samples."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = "croupier/shipped"


class ShippedFiles(BuildHookInterface[Any]):
    """Puts into the wheel what a checkout has outside the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """List the files. An editable install finds them in the checkout."""
        if version == "editable":
            return
        root = Path(self.root)
        names = build_data["force_include"]
        for path in (*root.glob("submissions/*.toml"), *root.glob("docs/examples/**/*.*")):
            names[str(path)] = f"{SHIPPED}/{path.relative_to(root).as_posix()}"
        for path in root.glob("docs/*.md"):
            # Half of all documents by size, and printed by `croupier law coverage`.
            if path.name != "traceability.md":
                names[str(path)] = f"{SHIPPED}/docs/{path.name}"
        self._build_law(root / "src", names)

    def _build_law(self, source: Path, names: dict[str, str]) -> None:
        """Add the built form of every law file."""
        sys.path.insert(0, str(source))
        from croupier.law.built import built_form, built_path  # noqa: PLC0415  (from the sources)

        self.folder = tempfile.TemporaryDirectory()
        for path in (source / "croupier" / "law").rglob("*.toml"):
            target = built_path(path).relative_to(source).as_posix()
            built = Path(self.folder.name) / target
            built.parent.mkdir(parents=True, exist_ok=True)
            built.write_bytes(built_form(path.read_bytes()))
            names[str(built)] = target

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Take the built forms away again: the wheel has them."""
        del build_data, artifact_path
        if version != "editable":
            self.folder.cleanup()
