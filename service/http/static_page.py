"""The web page: ``/`` and the files of one folder under ``/static``. Nothing outside the folder, nothing hidden."""

from pathlib import Path

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

INDEX = "index.html"
FRESH = "no-cache"
"""Kept by the browser, asked for again each time; an unchanged file is answered with 304."""


class PageFiles(StaticFiles):
    """Files of the folder; links that lead out of it are not followed."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file.

        Raises:
            HTTPException: 404, there is none.
        """
        if any(part.startswith(".") for part in Path(path).parts):
            raise HTTPException(404)
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            # What may not be read is not there.
            raise HTTPException(404 if error.status_code == 401 else error.status_code) from None
        response.headers["Cache-Control"] = FRESH
        return response


def mount(app: FastAPI, folder: Path) -> None:
    """Add the page to the application, if there is one."""
    index = folder / INDEX
    if not index.is_file():
        return

    @app.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def page() -> FileResponse:
        """The page."""
        return FileResponse(index, headers={"Cache-Control": FRESH})

    app.mount("/static", PageFiles(directory=folder), name="static")
