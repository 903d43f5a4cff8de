"""Which language a command speaks."""

import pytest

from config.settings import Settings
from service.speech import locale_language, run_language
from state.model.enums import Language


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, Language.EN),
        ({"LANG": "zh_CN.UTF-8"}, Language.ZH),
        ({"LANG": "de_DE.UTF-8"}, Language.EN),
        ({"LC_MESSAGES": "zh_TW", "LANG": "en_US.UTF-8"}, Language.ZH),
        ({"LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8"}, Language.EN),
        ({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, Language.ZH),
    ],
)
def test_the_locale_decides(variables: dict[str, str], language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert locale_language() is language


def test_option_then_setting_then_question(tmp_path: object) -> None:
    chinese = Settings(language="zh")

    assert run_language("why?", Language.EN, chinese) is Language.EN
    assert run_language("why?", None, chinese) is Language.ZH
    assert run_language("为什么？", None, Settings()) is Language.ZH
    assert run_language("why?", None, Settings()) is Language.EN
