"""A limit of the gateway that a change set too low: every caller is refused at the same rate."""

from eval.scenarios.cast import Cast, draw_cast
from eval.scenarios.model import Cause, Milestone, Part
from eval.scenarios.saying import asked, moving, repeated
from state.model.enums import Language
from worlds.generate.change_tables import Setting
from worlds.generate.speech import Said

_SETTING = "limit.rate"
_CALLERS = ("partner-north", "partner-south", "mobile-app", "web-shop")


class RateLimit:
    """See ``eval.scenarios.family.Family``."""

    name = "rate-limit"
    area = "quota"

    def cast(self, seed: int) -> Cast:
        """Who takes part; the limit was changed minutes before."""
        return draw_cast(seed, self.name, is_core_rolled_out=False, lead_s=(100, 300))

    def question(self, cast: Cast, language: Language) -> str:
        """What is refused, and since when."""
        return asked(
            cast,
            language,
            en="Why are {noun} refused with 429 since {clock}?",
            zh="从 {clock} 开始，为什么{noun}请求被 429 拒绝？",
        )

    def everyday(self, cast: Cast) -> Part:
        """A refusal now and then is normal."""
        return Part()

    def symptoms(self, cast: Cast) -> Part:
        """Refusals of all callers alike."""
        events = repeated(
            cast,
            "refused",
            cast.front,
            lambda dice, _: Said(
                "WARN",
                f"POST /v2/{cast.trade.noun} 429 Too Many Requests client={dice.choice(_CALLERS)} rule={_rule(cast)}",
                "http.access",
            ),
            per_hour=220,
        )
        return Part(events=events)

    def proof(self, cast: Cast) -> Part:
        """The limiter names the rate it was given; the settings history has the change."""
        dice = cast.dice("limit")
        old, new = dice.randrange(40, 90) * 10, dice.randrange(3, 8) * 10
        text = f"rule={_rule(cast)} exceeded: rate {new} per second for the sum of all callers"
        told = repeated(cast, "limiter", cast.front, lambda *_: Said("WARN", text, "gateway.limiter"), per_hour=120)
        changed = Setting(cast.front.name, f"{_SETTING}.{_rule(cast)}", str(old), str(new), cast.times.change_at)
        labels = {"service": cast.front.name}
        asked_for = moving(cast, "http_requests_per_second", labels, lambda dice, _: dice.uniform(95, 130))
        return Part(events=told, settings=(changed,), samples=tuple(asked_for))

    def cause(self, cast: Cast) -> Cause:
        """The limit."""
        return Cause(
            entities=(cast.front.name, _rule(cast)),
            mechanism=(("limit", "限流", "限制"), ("low", "lower", "过低", "太低", "调低")),
            runbook="gateway/rate-limiting-429.md",
            section="Cause: limit set too low",
        )

    def milestones(self, cast: Cast) -> tuple[Milestone, ...]:
        """Refusals, the rule, the change."""
        return (
            Milestone("symptom", ("429 Too Many Requests",)),
            Milestone("telltale", ("for the sum of all callers",)),
            Milestone("change", (_SETTING,)),
        )

    def rivals(self, cast: Cast) -> tuple[str, ...]:
        """The other causes of refusals."""
        return "retry storm", "shared counter", "重试风暴"


def _rule(cast: Cast) -> str:
    return f"{cast.trade.noun}-write"
