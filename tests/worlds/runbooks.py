"""Reads the runbook library: front matter, cause sections and the markers of their signatures."""

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

SECTION = re.compile(r"^### (?:Cause: |原因：)", re.MULTILINE)
LABELS_EN = ("**Mechanism.**", "**Signature.**", "**Rules out.**", "**Action.**")
LABELS_ZH = ("**机理：**", "**特征：**", "**排除：**", "**处置：**")
CJK = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Cause:
    page: str
    heading: str
    text: str

    @property
    def labels(self) -> tuple[str, ...]:
        return LABELS_ZH if self.heading.startswith("原因") else LABELS_EN

    def part(self, rank: int) -> str:
        """The paragraph under label number `rank`."""
        return self.text.split(self.labels[rank])[1].split("**")[0]

    @property
    def signature(self) -> tuple[str, ...]:
        return tuple(re.findall(r"`([^`]+)`", self.part(1)))


@dataclass(frozen=True, slots=True)
class Page:
    name: str
    front: dict[str, object]
    body: str

    @property
    def is_chinese(self) -> bool:
        return bool(CJK.search(str(self.front["title"])))

    @property
    def causes(self) -> tuple[Cause, ...]:
        parts = re.split(r"^(?=#{2,3} )", self.body, flags=re.MULTILINE)
        return tuple(
            Cause(self.name, part.splitlines()[0].removeprefix("### "), part) for part in parts if SECTION.match(part)
        )


def read_library(folder: Path) -> tuple[Page, ...]:
    return tuple(_page(path, folder) for path in sorted(folder.rglob("*.md")))


def _page(path: Path, folder: Path) -> Page:
    _, front, body = path.read_text("utf-8").split("---\n", 2)
    return Page(path.relative_to(folder).as_posix(), yaml.safe_load(front), body)
