"""Spring Boot services: request log, HTTP client errors, resilience4j retries, Hibernate."""

from worlds.generate.dice import Dice, draw_hex
from worlds.generate.speech import Said

ACCESS = "http.access"
RETRY = "io.github.resilience4j.retry.internal.RetryImpl"
SQL_HELPER = "org.hibernate.engine.jdbc.spi.SqlExceptionHelper"


def request_done(method: str, path: str, status: int, took_ms: int, *, trace: str) -> Said:
    """Return the access record of a served request; WARN from status 500 on."""
    level = "WARN" if status >= 500 else "INFO"
    fields = (("status", status), ("took_ms", took_ms), ("trace_id", trace))
    return Said(level, f"{method} {path} {status} {took_ms}ms", ACCESS, fields)


def read_timed_out(method: str, url: str, *, trace: str) -> Said:
    """Return a client's report that the called service did not answer in time."""
    return Said(
        "ERROR",
        f'I/O error on {method} request for "{url}": Read timed out',
        "org.springframework.web.client.ResourceAccessException",
        (("trace_id", trace),),
    )


def retry_waiting(name: str, exception: str) -> Said:
    """Return the record of a first failed attempt that will be repeated."""
    return Said(
        "WARN",
        f"Retry '{name}', waiting PT0.5S until attempt '1'. Last attempt failed with exception '{exception}'.",
        RETRY,
    )


def retry_succeeded(name: str, exception: str) -> Said:
    """Return the record of a repetition that succeeded."""
    return Said(
        "INFO",
        f"Retry '{name}' recorded a successful retry attempt. "
        f"Number of retry attempts: '1', Last exception was: '{exception}'.",
        RETRY,
    )


def sql_error(state: str) -> Said:
    """Return Hibernate's first record of a failed statement; `state` is an SQLSTATE or null."""
    return Said("WARN", f"SQL Error: 0, SQLState: {state}", SQL_HELPER)


def statement_cancelled(trace: str) -> Said:
    """Return Hibernate's record of a statement the server gave up on."""
    return Said(
        "ERROR",
        "ERROR: canceling statement due to statement timeout",
        SQL_HELPER,
        (("trace_id", trace),),
    )


def slow_query(took_ms: int, sql: str) -> Said:
    """Return the record of Hibernate's slow query log."""
    return Said("INFO", f"SlowQuery: {took_ms} milliseconds. SQL: '{sql}'", "org.hibernate.SQL_SLOW")


def started(application: str, version: str, took_s: float) -> Said:
    """Return the record that ends the start of an application."""
    return Said(
        "INFO",
        f"Started {application} v{version} in {took_s:.3f} seconds (process running for {took_s + 1.4:.3f})",
        "org.springframework.boot.StartupInfoLogger",
    )


def unreadable_body(dice: Dice) -> Said:
    """Return a client mistake that every public endpoint sees."""
    column = dice.randrange(20, 400)
    return Said(
        "WARN",
        "Resolved [org.springframework.http.converter.HttpMessageNotReadableException: "
        f"JSON parse error: Unexpected end-of-input at line 1, column {column}]",
        "org.springframework.web.servlet.mvc.support.DefaultHandlerExceptionResolver",
    )


def trace_id(dice: Dice) -> str:
    """Return a W3C trace id."""
    return draw_hex(dice, 32)
