"""What handlers share in answering. Pure."""

from typing import TypeVar

from service.http.codes import ProblemCode
from service.http.problems import HttpProblem

T = TypeVar("T")


def present(found: T | None) -> T:
    """What was found. Pure.

    Raises:
        HttpProblem: 404, nothing was.
    """
    if found is None:
        raise HttpProblem(ProblemCode.NOT_FOUND)
    return found
