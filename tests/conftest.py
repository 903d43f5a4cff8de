"""No vendor is reached, logs are plain, and only types the state names come back from checkpoints."""

import os

os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"
os.environ["LANGSMITH_TRACING"] = "false"

import structlog

structlog.configure(processors=[structlog.processors.add_log_level, structlog.processors.KeyValueRenderer()])
