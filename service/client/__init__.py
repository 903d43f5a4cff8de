"""A small Python client of the HTTP service: ``Rootproof`` and ``AsyncRootproof``. Opens no part of the engine."""

from service.client.asynchronous import AsyncAnswerStream as AsyncAnswerStream
from service.client.asynchronous import AsyncRootproof as AsyncRootproof
from service.client.blocking import AnswerStream as AnswerStream
from service.client.blocking import Rootproof as Rootproof
from service.client.events import Content as Content
from service.client.events import Done as Done
from service.client.events import Event as Event
from service.client.events import Failure as Failure
from service.client.events import Metadata as Metadata
from service.client.events import RunOutcome as RunOutcome
from service.client.events import Status as Status
from service.client.problem import RootproofProblem as RootproofProblem
from service.client.problem import UnexpectedReply as UnexpectedReply
from service.client.problem import Unreachable as Unreachable
from service.client.requests import AskOptions as AskOptions
from service.client.requests import ForkOptions as ForkOptions
