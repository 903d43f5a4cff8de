"""The commands ``ingest``, ``search`` and ``documents``: the knowledge base for people."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.exit_codes import ExitCode
from service.page import Paragraph
from service.speech import Speech
from service.texts import help as help_texts
from service.texts import knowledge as texts
from state.model.enums import Language

if TYPE_CHECKING:
    from config.settings import Settings
    from graph.documents import Progress
    from service.desk import Desk
    from service.narrator import Narrator


async def ingest(
    paths: list[Path], category: str, desk: "Desk", settings: "Settings", narrator: "Narrator"
) -> ExitCode:
    """Add what is named; FAILED if one of the documents could not be added.

    Raises:
        Misconfigured: a path does not exist, or index or embedding model cannot be used.
        RebuildInProgress: try again when it is done.
    """
    from graph.documents import ingest as add
    from service.knowledge_pages import ingested_page

    narrator.busy(texts.OPENING)

    def tell(one: "Progress") -> None:
        values = {"done": one.done, "total": one.total, "name": one.name, "note": one.note}
        if one.state == "FAILED":
            narrator.note(texts.ADDED_BAD, **values)
        else:
            narrator.busy(texts.ADDING, **values)

    summary = await asyncio.to_thread(add, settings, paths, category=category, progress=tell)
    narrator.part(with_gap=True)
    desk.show(ingested_page(summary, desk.say), summary.model_dump(mode="json"))
    return ExitCode.FAILED if summary.failed else ExitCode.SUCCESS


async def search(  # noqa: PLR0913 - one parameter per word of the command line
    question: str,
    world: Path | None,
    category: str | None,
    desk: "Desk",
    settings: "Settings",
    narrator: "Narrator",
    *,
    reasons: bool,
) -> ExitCode:
    """Show what a diagnosis would find; FALLBACK if nothing is close enough.

    Raises:
        Misconfigured: the folder, the index or the embedding model cannot be used.
    """
    from graph.documents import search_explained
    from service.knowledge_pages import search_page
    from service.world_choice import choose_world

    narrator.busy(texts.OPENING)
    place = choose_world(world, settings, Path.cwd()).path
    found = await asyncio.to_thread(search_explained, settings, place, question, category=category)
    narrator.part(with_gap=False)
    desk.show(search_page(found, desk.say, reasons=reasons), found.model_dump(mode="json"))
    return ExitCode.SUCCESS if found.hits else ExitCode.FALLBACK


async def list_all(desk: "Desk", settings: "Settings") -> ExitCode:
    """Show the documents that were added.

    Raises:
        Misconfigured: index or embedding model cannot be used.
    """
    from graph.documents import list_documents
    from service.knowledge_pages import documents_json, documents_page

    documents = await asyncio.to_thread(list_documents, settings)
    desk.show(documents_page(documents, desk.say), documents_json(documents))
    return ExitCode.SUCCESS


async def delete(doc_id: str, desk: "Desk", settings: "Settings") -> ExitCode:
    """Delete one document; FAILED if there is none of that id.

    Raises:
        Misconfigured: index or embedding model cannot be used, or another process holds the index.
    """
    from graph.documents import delete_document

    is_gone = await asyncio.to_thread(delete_document, settings, doc_id)
    text = texts.DELETED if is_gone else texts.NO_SUCH
    desk.show((Paragraph(desk.say(text, doc_id=doc_id)),), {"doc_id": doc_id, "deleted": is_gone})
    return ExitCode.SUCCESS if is_gone else ExitCode.FAILED


async def rebuild(desk: "Desk", settings: "Settings", narrator: "Narrator") -> ExitCode:
    """Make the index anew; FAILED if a document could not be read any more.

    Raises:
        Misconfigured: index or embedding model cannot be used, or another process holds the index.
    """
    from graph.documents import rebuild_documents
    from service.knowledge_pages import rebuilt_page

    narrator.busy(texts.REBUILDING)
    summary = await asyncio.to_thread(rebuild_documents, settings)
    narrator.part(with_gap=False)
    desk.show(rebuilt_page(summary, desk.say), summary.model_dump(mode="json"))
    return ExitCode.FAILED if summary.failed else ExitCode.SUCCESS


def register(app: typer.Typer, say: Speech, desk_for: "Callable[..., Desk]") -> None:
    """Add the commands to the command line; ``desk_for`` makes a desk from the words all commands share."""
    language = Annotated[Language | None, typer.Option("--lang", help=say(help_texts.LANG))]
    json_option = Annotated[bool, typer.Option("--json", help=say(help_texts.JSON))]
    verbose_option = Annotated[bool, typer.Option("--verbose", help=say(help_texts.VERBOSE))]

    @app.command("ingest", help=say(texts.INGEST))
    def ingest_command(
        ctx: typer.Context,
        paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help=say(texts.PATHS))],
        category: Annotated[str, typer.Option("--category", help=say(texts.CATEGORY))] = "",
        lang: language = None,
        as_json: json_option = False,
        verbose: verbose_option = False,
    ) -> None:
        """Add documents.

        Raises:
            Exit: always; typer makes the exit code of it.
        """
        desk = desk_for(ctx, lang, as_json=as_json, verbose=verbose)
        raise typer.Exit(desk.execute({}, lambda settings, narrator: ingest(paths, category, desk, settings, narrator)))

    @app.command("search", help=say(texts.SEARCH))
    def search_command(  # noqa: PLR0913 - one parameter per word of the command line
        ctx: typer.Context,
        question: Annotated[str, typer.Argument(metavar="QUESTION", help=say(texts.QUESTION))],
        world: Annotated[Path | None, typer.Option("--world", metavar="DIR", help=say(help_texts.WORLD))] = None,
        category: Annotated[str | None, typer.Option("--category", help=say(texts.ONLY_CATEGORY))] = None,
        reasons: Annotated[bool, typer.Option("--explain", help=say(texts.EXPLAIN))] = False,
        lang: language = None,
        as_json: json_option = False,
        verbose: verbose_option = False,
    ) -> None:
        """Search the knowledge base.

        Raises:
            Exit: always; typer makes the exit code of it.
        """
        desk = desk_for(ctx, lang, as_json=as_json, verbose=verbose)
        raise typer.Exit(
            desk.execute(
                {},
                lambda settings, narrator: search(question, world, category, desk, settings, narrator, reasons=reasons),
            )
        )

    _register_documents(app, say, desk_for)


def _register_documents(app: typer.Typer, say: Speech, desk_for: "Callable[..., Desk]") -> None:
    group = typer.Typer(help=say(texts.DOCUMENTS), no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(group, name="documents")
    language = Annotated[Language | None, typer.Option("--lang", help=say(help_texts.LANG))]
    json_option = Annotated[bool, typer.Option("--json", help=say(help_texts.JSON))]

    @group.command("list", help=say(texts.LIST))
    def list_command(ctx: typer.Context, lang: language = None, as_json: json_option = False) -> None:
        """List the documents.

        Raises:
            Exit: always; typer makes the exit code of it.
        """
        desk = desk_for(ctx, lang, as_json=as_json, verbose=False)
        raise typer.Exit(desk.execute({}, lambda settings, _: list_all(desk, settings)))

    @group.command("delete", help=say(texts.DELETE))
    def delete_command(
        ctx: typer.Context,
        doc_id: Annotated[str, typer.Argument(metavar="ID", help=say(texts.DOCUMENT_ID))],
        lang: language = None,
        as_json: json_option = False,
    ) -> None:
        """Delete one document.

        Raises:
            Exit: always; typer makes the exit code of it.
        """
        desk = desk_for(ctx, lang, as_json=as_json, verbose=False)
        raise typer.Exit(desk.execute({}, lambda settings, _: delete(doc_id, desk, settings)))

    @group.command("rebuild", help=say(texts.REBUILD))
    def rebuild_command(ctx: typer.Context, lang: language = None, as_json: json_option = False) -> None:
        """Make the index anew.

        Raises:
            Exit: always; typer makes the exit code of it.
        """
        desk = desk_for(ctx, lang, as_json=as_json, verbose=False)
        raise typer.Exit(desk.execute({}, lambda settings, narrator: rebuild(desk, settings, narrator)))
