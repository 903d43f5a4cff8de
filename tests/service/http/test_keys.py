"""Keys: declared by reference, found in constant time, refused where they protect nothing."""

from pathlib import Path

import pytest

from config.keyring import Keyring, make_keyring
from config.keys import Key, read_keys
from config.load import load_settings
from config.settings import Settings
from state.model.caller import Role
from state.model.errors import Misconfigured

SECRET, OTHER = "a-key-of-the-checkout-team-1", "b-key-of-the-platform-team-2"


def keys(**references: str) -> dict[str, Key]:
    return {name: Key(secret=reference, roles=frozenset({Role.USER})) for name, reference in references.items()}


@pytest.fixture
def ring() -> Keyring:
    declared = {
        "checkout": Key(secret="env:A", roles=frozenset({Role.USER})),
        "platform": Key(secret="env:B", roles=frozenset({Role.OPERATOR, Role.AUDITOR})),
    }
    return make_keyring(declared, {"checkout": SECRET, "platform": OTHER})


@pytest.mark.parametrize("sent", [f"Bearer {SECRET}", f"bearer {SECRET}", f"BEARER  {SECRET} "])
def test_a_declared_key_names_its_caller(ring: Keyring, sent: str) -> None:
    found = ring.caller_of(sent)

    assert found is not None
    assert (found.name, found.roles) == ("checkout", {Role.USER})


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "Bearer",
        "Bearer ",
        SECRET,
        f"Basic {SECRET}",
        f"Bearer {SECRET}x",
        f"Bearer {SECRET[:-1]}",
        f"Bearer {SECRET} {OTHER}",
        f"Bearer {SECRET},Bearer {OTHER}",
        "Bearer " + "x" * 10_000,
        "Bearer \ud800",
        "Bearer env:A",
        "Bearer checkout",
    ],
)
def test_anything_else_names_nobody(ring: Keyring, sent: str) -> None:
    assert ring.caller_of(sent) is None


def test_no_key_lets_nobody_in_by_key() -> None:
    assert not Keyring().is_on
    assert Keyring().caller_of("Bearer ") is None


def test_a_ring_shows_no_secret(ring: Keyring) -> None:
    assert SECRET not in repr(ring)


def test_secrets_are_read_from_environment_and_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(f"{OTHER}\n")
    monkeypatch.setenv("CHECKOUT_KEY", SECRET)

    assert read_keys(keys(a="env:CHECKOUT_KEY", b=f"file:{file}")) == {"a": SECRET, "b": OTHER}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("short", "at least 20"),
        ("with a space in the middle of it", "without a space"),
        ("línea-de-veinte-caracteres", "plain ASCII"),
        ("twenty-characters-and\nmore", "plain ASCII"),
    ],
)
def test_a_key_that_is_weak_or_no_header_is_refused(monkeypatch: pytest.MonkeyPatch, value: str, said: str) -> None:
    monkeypatch.setenv("K", value)

    with pytest.raises(Misconfigured, match=said) as caught:
        read_keys(keys(team="env:K"))

    assert caught.value.key == "keys.team.secret"
    assert value not in str(caught.value)


def test_two_keys_with_one_secret_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("K", SECRET)

    with pytest.raises(Misconfigured, match="another key has the same secret"):
        read_keys(keys(a="env:K", b="env:K"))


def test_the_owner_of_the_command_line_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("K", SECRET)

    with pytest.raises(Misconfigured, match="choose another"):
        read_keys(keys(local="env:K"))


def test_a_key_that_is_not_set_is_named() -> None:
    with pytest.raises(Misconfigured, match="NO_SUCH_VARIABLE is not set"):
        read_keys(keys(a="env:NO_SUCH_VARIABLE"))


def loaded(folder: Path, text: str) -> Settings:
    file = folder / "keys.yaml"
    file.write_text(text)
    return load_settings(file)


def test_keys_are_declared_in_the_settings_file(tmp_path: Path) -> None:
    settings = loaded(tmp_path, "keys:\n  team: {secret: env:TEAM_KEY, roles: [operator, auditor]}\n")

    assert settings.keys["team"].roles == {Role.OPERATOR, Role.AUDITOR}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("keys: {team: {secret: plain-secret-in-the-file, roles: [user]}}", "a secret is not written here"),
        ("keys: {team: {secret: env:K, roles: []}}", "at least 1 item"),
        ("keys: {team: {secret: env:K, roles: [root]}}", "'user', 'operator' or 'auditor'"),
        ("keys: {team: {secret: env:K}}", "required"),
        ("keys: {team: {secret: env:K, roles: [user], more: 1}}", "no such key"),
        ("keys: {'a b': {secret: env:K, roles: [user]}}", "pattern"),
        ("cors_origins: ['*']", "`\\*` is none"),
        ("cors_origins: ['https://ops.example.com/page']", "without path"),
        ("cors_origins: ['null']", "without path"),
        ("max_running: 0", "greater than or equal to 1"),
        ("requests_per_minute: 0", "greater than or equal to 1"),
    ],
)
def test_a_declaration_that_cannot_be_used_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(Misconfigured, match=said) as caught:
        loaded(tmp_path, text)

    assert caught.value.key.startswith(text.split(":")[0])
    assert "plain-secret" not in str(caught.value)
