"""Knowledge retrieval: documents → chunks → Milvus index → the ``lookup_knowledge`` tool.

Owns what a document says and how it is found. It never decides whether something happened here:
every item it returns is of kind KNOWLEDGE. Decisions: ``docs/decisions/knowledge.md``.
"""

import os

# The C core of gRPC, below the index, writes to stderr by itself; what it has to say reaches us as errors. It reads
# this when it is loaded. Whoever sets it sees everything.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # noqa: TID251 - no setting of ours
