"""Which document a question names."""

import pytest

from tools.knowledge.naming import Naming

CRASH, READY = "alerts/KubePodCrashLooping.md", "alerts/KubePodNotReady.md"


def named(question, path, breadcrumb="Alert"):
    return Naming(question).named(path, breadcrumb)


@pytest.mark.parametrize(
    "question",
    [
        "KubePodCrashLooping is firing",
        "kube pod crash looping",
        "kube-pod-crash-looping in namespace shop",
        "KUBE_POD_CRASH_LOOPING",
        "ＫｕｂｅＰｏｄＣｒａｓｈＬｏｏｐｉｎｇ",
        "告警 KubePodCrashLooping 怎么处理",
    ],
)
def test_a_whole_name_counts_however_it_is_spelled(question):
    assert named(question, CRASH) == "kubepodcrashlooping"
    assert named(question, READY) == ""


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("pod crash looping", CRASH),
        ("KubeletClientCertificateExpiration", "alerts/KubeClientCertificateExpiration.md"),
        ("AlertmanagerClusterFailedToSendAlerts", "alerts/AlertmanagerFailedToSendAlerts.md"),
    ],
)
def test_a_part_of_a_name_does_not_count(question, path):
    assert named(question, path) == ""


def test_the_title_is_a_name_and_a_section_is_none():
    asked = "what is the root cause of our connection pool exhaustion"

    assert named(asked, "a.md", "Connection pool exhaustion > Checks") == "connectionpoolexhaustion"
    assert named(asked, "a.md", "Disk > Root cause") == ""


@pytest.mark.parametrize("title", ["Watchdog", "磁盘", "Disk"])
def test_one_word_names_nothing(title):
    assert named(f"the {title} is full", "x.md", title) == ""


def test_a_chinese_title_is_a_name():
    assert named("订单系统消息堆积了怎么办", "x.md", "消息堆积 > 原因") == "消息堆积"


def test_an_empty_question_names_nothing():
    assert named("", CRASH, "") == ""
