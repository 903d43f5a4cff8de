"""What a killed writer left behind, put in order when a knowledge base is opened."""

from state.model.errors import Misconfigured
from tools.knowledge.records import DocumentRecord, Records
from tools.knowledge.serving import ServingIndex

_FOREIGN_ROWS = (
    "the collection holds {found} chunks, but the records of this home know {known}: open it from the home that filled "
    "it, or give this knowledge base another name"
)


def recover_rebuild(index: ServingIndex, records: Records) -> None:
    """Drops the collection of a rebuild that did not end; what was in force stays so.

    Raises:
        IndexUnavailable: it could not be dropped.
    """
    half_made = records.building
    if half_made:
        index.drop(half_made)
        records.drop([half_made])
        records.stop_building()


def settle_counts(index: ServingIndex, records: Records, *, is_new: bool, is_ours: bool) -> tuple[DocumentRecord, ...]:
    """Documents whose index is lost, because it does not hold what the records say; both are empty then.

    Raises:
        IndexUnavailable: the index does not answer.
        Misconfigured: others may have filled the collection: it is not ``is_ours`` alone, and not new.
    """
    found, known = index.count(), records.chunk_count()
    if found == known and not is_new:
        return ()
    if known != found and not is_new and not is_ours:
        raise Misconfigured("knowledge index", _FOREIGN_ROWS.format(found=found, known=known))
    lost = records.documents()
    index.clear()
    records.clear()
    return lost
