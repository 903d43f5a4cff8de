"""Assertions of the contract suites explain themselves like those of test files."""

import pytest

for _suite in (
    "canonical_store",
    "control_store",
    "control_races",
    "audit_log",
    "recording",
    "retention",
    "service_store",
):
    pytest.register_assert_rewrite(f"tests.contracts.{_suite}")
