"""A certificate that nobody renewed: from one instant on every handshake with one name fails."""

from eval.scenarios.cast import Cast, draw_cast
from eval.scenarios.model import Cause, Milestone, Part
from eval.scenarios.saying import asked, moving, repeated
from state.model.enums import Language
from worlds.generate import ambient
from worlds.generate.model import Table
from worlds.generate.speech import Said, chatter
from worlds.generate.stamps import iso_seconds


class TlsExpired:
    """See ``eval.scenarios.family.Family``."""

    name = "tls-expired"
    area = "certificate"

    def cast(self, seed: int) -> Cast:
        """Who takes part; nothing was changed, a date passed."""
        return draw_cast(seed, self.name, is_core_rolled_out=False, lead_s=(20, 60))

    def question(self, cast: Cast, language: Language) -> str:
        """Which calls fail, and since when."""
        return asked(
            cast, language, en="Why do all {noun} fail since {clock}?", zh="从 {clock} 开始，为什么{noun}全部失败？"
        )

    def everyday(self, cast: Cast) -> Part:
        """Reminders about another certificate with time left."""
        habit = ambient.expiry_habit("static.example", cast.dice("reminder").randrange(20, 60))
        return Part(events=tuple(chatter(cast.others[1], (habit,), cast.times, seed=cast.seed)))

    def symptoms(self, cast: Cast) -> Part:
        """The front answers 502."""
        events = repeated(
            cast,
            "failed",
            cast.front,
            lambda dice, _: Said(
                "ERROR",
                f"GET /v2/{cast.trade.noun}/{dice.randrange(10**5, 10**6)} 502: {cast.core.name} could not be called",
                "http.access",
            ),
            per_hour=150,
        )
        labels = {"service": cast.front.name}
        rate = moving(cast, "http_errors_ratio", labels, lambda dice, s: dice.uniform(0.9, 1) if s >= 0 else 0.0)
        return Part(events=events, samples=tuple(rate))

    def proof(self, cast: Cast) -> Part:
        """Handshakes end with the date; the inventory of certificates names it."""
        at = iso_seconds(cast.times.onset_at)
        text = (
            f"TLS handshake with {_host(cast)}:443 failed: certificate has expired (notAfter {at}), "
            "java.security.cert.CertificateExpiredException"
        )
        events = repeated(cast, "handshake", cast.front, lambda *_: Said("ERROR", text, "tls.client"), per_hour=140)
        columns = (
            ("id", "INTEGER"),
            ("host", "TEXT"),
            ("not_after", "TEXT"),
            ("renewed_at", "TEXT"),
            ("state", "TEXT"),
        )
        rows = (
            (1, "static.example", iso_seconds(cast.times.now_at.replace(year=2027)), None, "valid"),
            (2, _host(cast), at, None, "expired"),
        )
        return Part(events=events, tables=(Table("certificates", columns, rows),))

    def cause(self, cast: Cast) -> Cause:
        """The expired certificate."""
        return Cause(
            entities=(_host(cast), cast.core.name, cast.front.name),
            mechanism=(("expired", "过期", "到期"), ("certificate", "证书")),
            runbook="network/tls-certificate-problems.md",
            section="Cause: certificate expired",
        )

    def milestones(self, cast: Cast) -> tuple[Milestone, ...]:
        """Failed calls, the handshake, the date in the inventory."""
        return (
            Milestone("symptom", ("could not be called",)),
            Milestone("telltale", ("certificate has expired",)),
            Milestone("change", ("not_after",)),
        )

    def rivals(self, cast: Cast) -> tuple[str, ...]:
        """The other causes of failed handshakes."""
        return "intermediate", "client certificate rejected", "中间证书"


def _host(cast: Cast) -> str:
    return f"{cast.core.name}.internal"
