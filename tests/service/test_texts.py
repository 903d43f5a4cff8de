"""Every text in both languages: total over its codes, with the same values, and without a foreign script."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from string import Formatter

import pytest

from service import texts
from service.exit_codes import EXIT_OF
from service.texts import codes, progress, report
from service.texts import doctor as doctor_texts
from state.model import enums
from state.model.language import Bilingual


def all_texts() -> Iterator[tuple[str, Bilingual]]:
    for module in pkgutil.iter_modules(texts.__path__):
        for name, value in vars(importlib.import_module(f"service.texts.{module.name}")).items():
            if isinstance(value, Bilingual):
                yield f"{module.name}.{name}", value
            elif isinstance(value, dict) and name.isupper():
                yield from ((f"{module.name}.{name}[{key}]", text) for key, text in value.items())


TEXTS = dict(all_texts())


def test_there_are_texts() -> None:
    assert len(TEXTS) > 150


def values(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field}


def test_both_languages_name_the_same_values() -> None:
    assert [name for name, text in TEXTS.items() if values(text.en) != values(text.zh)] == []


def test_english_holds_no_chinese_and_chinese_some() -> None:
    han = re.compile("[\u3000-\u9fff\uff00-\uff60]")
    same_in_both = {"report.SEPARATOR"}

    assert [name for name, text in TEXTS.items() if han.search(text.en)] == []
    assert {name for name, text in TEXTS.items() if not han.search(text.zh)} <= same_in_both


@pytest.mark.parametrize(
    ("table", "vocabulary"),
    [
        (codes.OUTCOME, enums.ReleaseOutcome),
        (codes.RUN_STATE, enums.RunState),
        (codes.INTENT, enums.Intent),
        (codes.STOP, enums.StopReason),
        (codes.FAILURE, enums.FailureCode),
        (codes.TOOL_CODE, enums.ToolCode),
        (codes.VIOLATION, enums.ViolationCode),
        (progress.STAGE, enums.Stage),
        (progress.FOUND, enums.EvidenceStatus),
        (progress.GAIN, enums.InformationGain),
        (report.DERIVED_OP, enums.DerivedOp),
        (doctor_texts.ROLE, enums.ModelRole),
        (doctor_texts.REDACTION_POLICY, enums.RedactionPolicy),
        (EXIT_OF, enums.ReleaseOutcome),
    ],
)
def test_every_code_has_words(table: dict[object, object], vocabulary: type[enums.StrEnum]) -> None:
    assert set(table) == set(vocabulary)
