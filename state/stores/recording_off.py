"""The recording of an operator who wants none: nothing is kept, nothing is found."""

from state.model.ids import RunId


class NoRecording:
    """The port ``Recording``; contracts of its methods are written there."""

    async def put(self, run_id: RunId, step: str, request_sha256: str, reply_json: str) -> None:
        """Keep nothing."""

    async def get(self, run_id: RunId, step: str) -> tuple[str, str] | None:
        """None."""
        return None
