"""Reading the head of a document."""

import pytest

from tools.knowledge.front_matter import MAX_LIST, MAX_VALUE_CHARS, FrontMatter, split_front_matter


def test_every_key_is_read_and_the_body_is_what_follows():
    text = (
        "---\ntitle: A\nkeywords: [x, 连接池]\nsummary: S\ncategory: db\ncovers: [c]\n"
        'when_to_retrieve: W\nversion: "1.0"\n---\n# Body\n'
    )

    split = split_front_matter(text)

    assert split.head == FrontMatter(
        title="A",
        keywords=("x", "连接池"),
        summary="S",
        category="db",
        covers=("c",),
        when_to_retrieve="W",
        version="1.0",
    )
    assert split.body == "# Body\n"


def test_a_document_without_head_is_all_body():
    assert split_front_matter("# Only\n").body == "# Only\n"


def test_a_rule_at_the_top_that_is_never_closed_is_body():
    assert split_front_matter("---\ntext\n").body == "---\ntext\n"


@pytest.mark.parametrize("head", ["a: [1", "- a\n- b", "'", "a: b: c", "\t- x"])
def test_an_unreadable_head_stays_in_the_body_and_is_named(head):
    text = f"---\n{head}\n---\nbody"

    split = split_front_matter(text)

    assert (split.body, split.head) == (text, FrontMatter())
    assert split.problem


def test_an_empty_head_is_no_problem():
    assert (split_front_matter("---\n---\nbody").body, split_front_matter("---\n---\nbody").problem) == ("body", "")


def test_python_objects_in_yaml_are_refused():
    split = split_front_matter('---\ntitle: !!python/object/apply:os.system ["true"]\n---\nbody')

    assert split.problem


def test_an_alias_bomb_is_neither_expanded_nor_kept():
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 25)]

    text = "---\n" + "\n".join([*lines, "keywords: *a24", "title: *a24"]) + "\n---\nbody"

    split = split_front_matter(text)

    assert (split.head, split.body) == (FrontMatter(), text)
    assert "more than 50000 values" in split.problem


def test_values_are_bounded_and_on_one_line():
    split = split_front_matter(f"---\ntitle: |\n  a\n  {'b' * 900}\nkeywords: [{', '.join('k' * 99)}]\n---\n")

    assert len(split.head.title) == MAX_VALUE_CHARS
    assert "\n" not in split.head.title
    assert len(split.head.keywords) == MAX_LIST


def test_keywords_may_be_one_text_with_commas_of_either_width():
    assert split_front_matter("---\nkeywords: a, b，c\n---\n").head.keywords == ("a", "b", "c")
