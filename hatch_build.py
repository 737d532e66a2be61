"""What the wheel has beyond the modules: built law, documents, samples; a README for indexes."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

SHIPPED = "croupier/shipped"
SAMPLES = (
    "submissions/*.toml",
    "docs/examples/**/*.*",
    "docs/examples/operations/Containerfile",
    "docs/notebooks/*.ipynb",
    "examples/**/*.*",
)
LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s]+)\)")

LEFT_OUT = ("traceability.md",)
"""Half of all documents by size, printed by `croupier law coverage`."""


class ShippedFiles(BuildHookInterface[Any]):
    """Puts into the wheel what a checkout has outside the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """List the files. An editable install finds them in the checkout."""
        if version == "editable":
            return
        root = Path(self.root)
        names = build_data["force_include"]
        for path in (one for pattern in SAMPLES for one in root.glob(pattern)):
            if path.parent.name == "__pycache__":
                continue
            names[str(path)] = f"{SHIPPED}/{path.relative_to(root).as_posix()}"
        self.folder = tempfile.TemporaryDirectory()
        self._copy_documents(root, names)
        self._build_law(root / "src", names)
        build = Path(self.folder.name) / "build"
        build.write_text(self._build(root / "src"), encoding="ascii")
        names[str(build)] = f"{SHIPPED}/build"

    def _copy_documents(self, root: Path, names: dict[str, str]) -> None:
        """Add the documents. A link to what the wheel lacks becomes its text."""
        left_out = {root / "docs" / name for name in LEFT_OUT}
        found = {*root.glob("docs/*.md"), *root.glob("docs/tutorials/*.md")} - left_out
        shipped = {path.resolve() for path in (*found, *map(Path, names))}
        for path in found:

            def linked(link: re.Match[str], folder: Path = path.parent) -> str:
                target = link[2].partition("#")[0]
                kept = "://" in target or not target or (folder / target).resolve() in shipped
                return link[0] if kept else link[1]

            name = path.relative_to(root).as_posix()
            copy = Path(self.folder.name) / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(LINK.sub(linked, path.read_text(encoding="utf-8")), encoding="utf-8")
            names[str(copy)] = f"{SHIPPED}/{name}"

    def _build(self, source: Path) -> str:
        sys.path.insert(0, str(source))
        from croupier.files.version import program_version  # noqa: PLC0415  (from the sources)

        return program_version().partition("+")[2]

    def _build_law(self, source: Path, names: dict[str, str]) -> None:
        """Add the built form of every law file."""
        sys.path.insert(0, str(source))
        from croupier.law.built import built_form, built_path  # noqa: PLC0415  (from the sources)

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


class Readme(MetadataHookInterface):
    """Makes the README one that can be read where the files of the project are not."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Name the command that prints a document, in place of a link to its file."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        content = LINK.sub(self._spoken, text)
        metadata["readme"] = {"content-type": "text/markdown", "text": content}

    def _spoken(self, link: re.Match[str]) -> str:
        target = Path(link[2].partition("#")[0])
        if "://" in link[2]:
            return link[0]
        is_topic = target.parts[:1] == ("docs",) and target.suffix == ".md"
        return f"{link[1]} (`croupier help {target.stem}`)" if is_topic else link[1]
