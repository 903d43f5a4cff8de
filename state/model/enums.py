"""Every closed vocabulary of the project.

Codes are stable: clients, traces and tests depend on them. Add members, never reword one.
Each enumeration answers one question; they meet in explicit tables (``guards.release``).
"""

from enum import StrEnum


class Language(StrEnum):
    """Language of everything code writes for people."""

    EN = "en"
    ZH = "zh"


class Intent(StrEnum):
    """What the person wants."""

    DIAGNOSIS = "DIAGNOSIS"
    KNOWLEDGE_QUERY = "KNOWLEDGE_QUERY"
    KNOWLEDGE_META = "KNOWLEDGE_META"
    CONVERSATION_META = "CONVERSATION_META"
    SYSTEM_CHAT = "SYSTEM_CHAT"
    OUT_OF_SCOPE = "OUT_OF_SCOPE"


class RunState(StrEnum):
    """May execution go on, and how did it end. Everything but RUNNING is terminal."""

    RUNNING = "RUNNING"
    SUCCESS = "SUCCESS"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    TIMED_OUT = "TIMED_OUT"
    BUDGET_EXHAUSTED = "BUDGET_EXHAUSTED"


class CancellationReason(StrEnum):
    """Why a run was told to stop."""

    CLIENT_DISCONNECTED = "CLIENT_DISCONNECTED"
    USER_REQUESTED = "USER_REQUESTED"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    BUDGET_EXHAUSTED = "BUDGET_EXHAUSTED"
    INTERNAL_FAILURE = "INTERNAL_FAILURE"


class Stage(StrEnum):
    """Progress as shown to people."""

    ROUTING = "ROUTING"
    SYSTEM_RESPONDING = "SYSTEM_RESPONDING"
    KNOWLEDGE_SEARCHING = "KNOWLEDGE_SEARCHING"
    KNOWLEDGE_ANSWERING = "KNOWLEDGE_ANSWERING"
    DIAGNOSIS_RUNNING = "DIAGNOSIS_RUNNING"
    SAFETY_VALIDATING = "SAFETY_VALIDATING"


class InvocationStatus(StrEnum):
    """Is the canonical record of a call complete. One way: PROJECTING → READY | ERROR."""

    PROJECTING = "PROJECTING"
    READY = "READY"
    ERROR = "ERROR"


class EvidenceStatus(StrEnum):
    """Did the searched scope hold anything."""

    EVIDENCE_FOUND = "EVIDENCE_FOUND"
    NO_EVIDENCE = "NO_EVIDENCE"
    ERROR = "ERROR"


class Coverage(StrEnum):
    """How much of the asked scope was really searched."""

    COMPLETE = "COMPLETE"
    PARTIAL = "PARTIAL"
    NO_DATA = "NO_DATA"


class EvidenceKind(StrEnum):
    """What an item is: something that happened here, or something a document says."""

    TELEMETRY = "TELEMETRY"
    KNOWLEDGE = "KNOWLEDGE"


class InformationGain(StrEnum):
    """Did a result move the diagnosis. There is no third value: unsure is NO_GAIN."""

    GAINED = "GAINED"
    NO_GAIN = "NO_GAIN"


class CollectionState(StrEnum):
    """May more evidence be collected. SATURATED is final."""

    COLLECTING = "COLLECTING"
    SATURATED = "SATURATED"


class StopReason(StrEnum):
    """Why collection stopped."""

    INFORMATION_SATURATED = "INFORMATION_SATURATED"
    BUDGET_LIMIT_REACHED = "BUDGET_LIMIT_REACHED"
    DEADLINE_REACHED = "DEADLINE_REACHED"
    PROGRESS_PROTOCOL_VIOLATED = "PROGRESS_PROTOCOL_VIOLATED"
    TOOLS_FAILING = "TOOLS_FAILING"
    MODEL_UNAVAILABLE = "MODEL_UNAVAILABLE"


class ProtocolViolation(StrEnum):
    """How a tool call broke the envelope protocol."""

    MISSING_PREVIOUS_OBSERVATION = "MISSING_PREVIOUS_OBSERVATION"
    OUT_OF_ORDER_PREVIOUS_OBSERVATION = "OUT_OF_ORDER_PREVIOUS_OBSERVATION"
    UNEXPECTED_PREVIOUS_OBSERVATION = "UNEXPECTED_PREVIOUS_OBSERVATION"
    MISSING_INPUT = "MISSING_INPUT"
    INVALID_ENVELOPE = "INVALID_ENVELOPE"
    UNKNOWN_TOOL = "UNKNOWN_TOOL"


class ToolCode(StrEnum):
    """What the model is told about a call that gave no result. Never any backend text."""

    INVALID_TOOL_CALL_ID = "INVALID_TOOL_CALL_ID"
    RUN_MISMATCH = "RUN_MISMATCH"
    RUN_INACTIVE = "RUN_INACTIVE"
    TOOL_NOT_AUTHORIZED = "TOOL_NOT_AUTHORIZED"
    NOT_READ_ONLY = "NOT_READ_ONLY"
    INVALID_REQUEST = "INVALID_REQUEST"
    DUPLICATE_TOOL_CALL = "DUPLICATE_TOOL_CALL"
    DUPLICATE_SCOPE = "DUPLICATE_SCOPE"
    PARALLEL_TOOL_CALL = "PARALLEL_TOOL_CALL"
    BUDGET_EXHAUSTED = "BUDGET_EXHAUSTED"
    RESULT_TOO_LARGE = "RESULT_TOO_LARGE"
    TOOL_TIMEOUT = "TOOL_TIMEOUT"
    TOOL_EXECUTION_ERROR = "TOOL_EXECUTION_ERROR"
    INCOMPLETE_SEARCH = "INCOMPLETE_SEARCH"
    INTERRUPTED = "INTERRUPTED"
    PROJECTION_ERROR = "PROJECTION_ERROR"
    OBSERVATION_CONTRACT_MISMATCH = "OBSERVATION_CONTRACT_MISMATCH"
    STORE_ERROR = "STORE_ERROR"


class AnalysisKind(StrEnum):
    """Which evidence status an analysis may cite."""

    NORMAL = "NORMAL"
    NEGATIVE_OBSERVATION = "NEGATIVE_OBSERVATION"


class ConclusionKind(StrEnum):
    """Names a cause, or answers a narrow question without naming one."""

    ROOT_CAUSE = "ROOT_CAUSE"
    OBSERVATION = "OBSERVATION"


class HypothesisStatus(StrEnum):
    """What the author of the draft thinks of a hypothesis."""

    OPEN = "OPEN"
    SUPPORTED = "SUPPORTED"
    EXCLUDED = "EXCLUDED"


class DerivedOp(StrEnum):
    """How a derived value is recomputed from cited fields."""

    SUM = "sum"
    DIFF = "diff"
    RATIO = "ratio"
    PERCENT = "percent"
    DURATION = "duration"
    COUNT = "count"
    MIN = "min"
    MAX = "max"


class DraftProblem(StrEnum):
    """Why a submitted text is not a draft."""

    EMPTY_DRAFT = "EMPTY_DRAFT"
    INVALID_JSON = "INVALID_JSON"
    SCHEMA_INVALID = "SCHEMA_INVALID"


class EvidenceOutcome(StrEnum):
    """Exit of the evidence guard."""

    PASSED_WITH_CONCLUSION = "PASSED_WITH_CONCLUSION"
    PASSED_NO_CONCLUSION = "PASSED_NO_CONCLUSION"
    REPAIRABLE = "REPAIRABLE"
    REJECTED = "REJECTED"


class ViolationCode(StrEnum):
    """What the evidence guard found, each with a place."""

    ANALYSIS_ID_MISSING = "ANALYSIS_ID_MISSING"
    ANALYSIS_ID_DUPLICATE = "ANALYSIS_ID_DUPLICATE"
    TOOL_REFERENCE_MISSING = "TOOL_REFERENCE_MISSING"
    BASIS_MISSING = "BASIS_MISSING"
    ANALYSIS_REFERENCE_UNKNOWN = "ANALYSIS_REFERENCE_UNKNOWN"
    INVOCATION_MISSING = "INVOCATION_MISSING"
    INVOCATION_ID_MISMATCH = "INVOCATION_ID_MISMATCH"
    INVOCATION_NOT_REFERENCABLE = "INVOCATION_NOT_REFERENCABLE"
    EVIDENCE_KIND_MISMATCH = "EVIDENCE_KIND_MISMATCH"
    QUOTE_MISSING = "QUOTE_MISSING"
    QUOTE_NOT_FOUND = "QUOTE_NOT_FOUND"
    CLAIM_NOT_IN_EVIDENCE = "CLAIM_NOT_IN_EVIDENCE"
    DRAFT_MISSING = "DRAFT_MISSING"
    ANALYSIS_MISSING = "ANALYSIS_MISSING"
    ANALYSIS_KIND_MISSING = "ANALYSIS_KIND_MISSING"
    ANALYSIS_TEXT_MISSING = "ANALYSIS_TEXT_MISSING"
    CONCLUSION_TEXT_MISSING = "CONCLUSION_TEXT_MISSING"
    ACTION_TEXT_MISSING = "ACTION_TEXT_MISSING"
    RECOMMENDATION_TEXT_MISSING = "RECOMMENDATION_TEXT_MISSING"
    LIMITATION_SCOPE_MISSING = "LIMITATION_SCOPE_MISSING"
    PROJECTION_INVALID = "PROJECTION_INVALID"
    PROJECTION_STATUS_MISMATCH = "PROJECTION_STATUS_MISMATCH"
    TELEMETRY_MISSING = "TELEMETRY_MISSING"
    ABSENCE_OUT_OF_SCOPE = "ABSENCE_OUT_OF_SCOPE"
    CAUSE_IN_OBSERVATION = "CAUSE_IN_OBSERVATION"
    EVIDENCE_EXPIRED = "EVIDENCE_EXPIRED"


class SemanticVerdict(StrEnum):
    """Does verified evidence carry the text."""

    SUPPORTED = "SUPPORTED"
    UNSUPPORTED = "UNSUPPORTED"


class ReleaseOutcome(StrEnum):
    """What the person gets."""

    SUCCESS = "SUCCESS"
    FALLBACK = "FALLBACK"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class FallbackType(StrEnum):
    """Why there is no diagnosis."""

    EVIDENCE_VALIDATION_FAILED = "EVIDENCE_VALIDATION_FAILED"
    SEMANTIC_UNSUPPORTED = "SEMANTIC_UNSUPPORTED"
    SEMANTIC_UNAVAILABLE = "SEMANTIC_UNAVAILABLE"
    INSUFFICIENT_EVIDENCE = "INSUFFICIENT_EVIDENCE"
    MISSING_REQUIRED_CONTEXT = "MISSING_REQUIRED_CONTEXT"


class FailureStage(StrEnum):
    """Where a run lost its diagnosis."""

    DIAGNOSIS_INPUT = "DIAGNOSIS_INPUT"
    DIAGNOSIS_COLLECTION = "DIAGNOSIS_COLLECTION"
    EVIDENCE_VALIDATION = "EVIDENCE_VALIDATION"
    SEMANTIC_VALIDATION = "SEMANTIC_VALIDATION"


class ContentType(StrEnum):
    """What kind of content was published."""

    DIAGNOSIS_REPORT = "DIAGNOSIS_REPORT"
    SAFE_FALLBACK = "SAFE_FALLBACK"
    KNOWLEDGE_ANSWER = "KNOWLEDGE_ANSWER"
    SYSTEM_ANSWER = "SYSTEM_ANSWER"


class FailureCode(StrEnum):
    """Why nothing was published."""

    ROUTING_UNAVAILABLE = "ROUTING_UNAVAILABLE"
    SYSTEM_CHAT_UNAVAILABLE = "SYSTEM_CHAT_UNAVAILABLE"
    KNOWLEDGE_UNAVAILABLE = "KNOWLEDGE_UNAVAILABLE"
    DIAGNOSIS_UNAVAILABLE = "DIAGNOSIS_UNAVAILABLE"
    RUN_PERSISTENCE_FAILED = "RUN_PERSISTENCE_FAILED"
    RUN_CANCELLED = "RUN_CANCELLED"
    RUN_TIMED_OUT = "RUN_TIMED_OUT"
    RUN_EXPIRED = "RUN_EXPIRED"
    BUDGET_EXHAUSTED = "BUDGET_EXHAUSTED"
    INTERNAL_FAILURE = "INTERNAL_FAILURE"


class RelevanceLevel(StrEnum):
    """How close a knowledge hit is; hits below REFERENCE are dropped."""

    PRECISE = "PRECISE"
    REFERENCE = "REFERENCE"


class ModelRole(StrEnum):
    """Which model speaks."""

    ROUTER = "router"
    AGENT = "agent"
    REPAIR = "repair"
    SEMANTIC = "semantic"


class Phase(StrEnum):
    """Section of the trace an event belongs to."""

    RUN = "RUN"
    ROUTING = "ROUTING"
    AGENT = "AGENT"
    TOOL = "TOOL"
    EVIDENCE = "EVIDENCE"
    SEMANTIC = "SEMANTIC"
    RELEASE = "RELEASE"


class TraceEventType(StrEnum):
    """What happened, in the audit."""

    RUN_STARTED = "RUN_STARTED"
    RUN_FORKED = "RUN_FORKED"
    ROUTING_ATTEMPT = "ROUTING_ATTEMPT"
    ROUTING_DECISION = "ROUTING_DECISION"
    AGENT_MODEL_STEP = "AGENT_MODEL_STEP"
    MODEL_TOKEN_USAGE = "MODEL_TOKEN_USAGE"
    TOOL_INVOCATION = "TOOL_INVOCATION"
    TOOL_RESULT_COPIED = "TOOL_RESULT_COPIED"
    TOOL_PROGRESS = "TOOL_PROGRESS"
    TOOL_REQUEST_REJECTED = "TOOL_REQUEST_REJECTED"
    COLLECTION_STOP = "COLLECTION_STOP"
    AGENT_DRAFT_INVALID = "AGENT_DRAFT_INVALID"
    EVIDENCE_GUARD_INITIAL = "EVIDENCE_GUARD_INITIAL"
    EVIDENCE_REPAIR_ATTEMPT = "EVIDENCE_REPAIR_ATTEMPT"
    EVIDENCE_GUARD_RECHECK = "EVIDENCE_GUARD_RECHECK"
    SEMANTIC_GUARD_ATTEMPT = "SEMANTIC_GUARD_ATTEMPT"
    SEMANTIC_GUARD_DECISION = "SEMANTIC_GUARD_DECISION"
    RELEASE_DECISION = "RELEASE_DECISION"
    RUN_FINISHED = "RUN_FINISHED"


class RedactionPolicy(StrEnum):
    """When infrastructure identifiers are replaced by placeholders."""

    NEVER = "never"
    EXTERNAL_MODELS = "external_models"
    ALWAYS = "always"
