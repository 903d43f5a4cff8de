"""Knowledge retrieval: documents → chunks → Milvus index → the ``lookup_knowledge`` tool.

Owns what a document says and how it is found. It never decides whether something happened here:
every item it returns is of kind KNOWLEDGE. Decisions: ``docs/decisions/knowledge.md``.
"""
