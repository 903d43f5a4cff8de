"""The process that parses untrusted files: it limits itself, then answers one file after another.

Wire: a JSON line ``{"format", "size"}`` and that many bytes in; a JSON line out, ``{"extracted"}`` or ``{"why"}``.
"""

import json
import resource
import sys

from tools.knowledge.formats.decoding import decode_text
from tools.knowledge.formats.extracted import MAX_TEXT_CHARS, Extracted
from tools.knowledge.formats.kinds import DocumentFormat, Unreadable

MEMORY_BYTES = 2 * 1024**3
"""Address space, shared libraries included; a file that needs more is refused."""
TOO_MUCH_MEMORY = "needs more memory to read than a document may"
TOO_DEEP = "is nested too deeply"


def main() -> None:
    """Serves until its input ends."""
    _limit()
    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    while line := requests.readline():
        request = json.loads(line)
        content = requests.read(request["size"])
        replies.write(json.dumps(_answer(DocumentFormat(request["format"]), content)).encode() + b"\n")
        replies.flush()


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Nothing is ever written to a file, and no further process begun.
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _answer(format_: DocumentFormat, content: bytes) -> dict[str, object]:
    try:
        extracted = _extract(format_, content)
    except Unreadable as error:
        return {"why": str(error)}
    except MemoryError:
        return {"why": TOO_MUCH_MEMORY}
    except RecursionError:
        return {"why": TOO_DEEP}
    if len(extracted.markdown) + sum(len(piece.text) for piece in extracted.pieces) > MAX_TEXT_CHARS:
        return {"why": f"holds more than {MAX_TEXT_CHARS} characters of text; split it"}
    return {"extracted": extracted.model_dump(mode="json")}


def _extract(format_: DocumentFormat, content: bytes) -> Extracted:
    """Imports only what the format needs: each parser costs a tenth of a second.

    Raises:
        Unreadable: the file gives no document.
    """
    if format_ is DocumentFormat.PDF:
        from tools.knowledge.formats.pdf import extract_pdf

        return extract_pdf(content)
    if format_ is DocumentFormat.DOCX:
        from tools.knowledge.formats.docx import extract_docx

        return extract_docx(content)
    if format_ is DocumentFormat.HTML:
        from tools.knowledge.formats.html import extract_html

        return extract_html(decode_text(content))
    raise Unreadable(f"is {format_}, which needs no parser")


if __name__ == "__main__":
    main()
