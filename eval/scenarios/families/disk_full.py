"""A service whose log fills its volume after somebody switched it to debug output."""

from datetime import timedelta

from eval.scenarios.cast import Cast, draw_cast
from eval.scenarios.model import Cause, Milestone, Part
from eval.scenarios.saying import asked, moving, repeated
from state.model.enums import Language
from worlds.generate.change_tables import Setting
from worlds.generate.formats import host
from worlds.generate.speech import Said

_SETTING = "logging.level.root"


class DiskFull:
    """See ``eval.scenarios.family.Family``."""

    name = "disk-full"
    area = "host"

    def cast(self, seed: int) -> Cast:
        """Who takes part; the level was changed half an hour before the volume was full."""
        return draw_cast(seed, self.name, is_core_rolled_out=False, lead_s=(1200, 2400))

    def question(self, cast: Cast, language: Language) -> str:
        """What cannot be saved, and since when."""
        return asked(
            cast,
            language,
            en="Why can {noun} not be saved since {clock}?",
            zh="从 {clock} 开始，为什么{noun}无法保存？",
        )

    def everyday(self, cast: Cast) -> Part:
        """Usage of the other volume, high for months."""
        labels = {"node": cast.edge_host, "mountpoint": "/var/lib/containers"}
        return Part(
            samples=tuple(moving(cast, "node_filesystem_used_ratio", labels, lambda dice, _: dice.uniform(0.71, 0.78)))
        )

    def symptoms(self, cast: Cast) -> Part:
        """Saving fails at the front."""
        events = repeated(
            cast,
            "unsaved",
            cast.front,
            lambda dice, _: Said(
                "ERROR",
                f"POST /v2/{cast.trade.noun} 500: {cast.core.name} could not store request "
                f"{dice.randrange(10**5, 10**6)}",
                "http.access",
            ),
            per_hour=130,
        )
        return Part(events=events)

    def proof(self, cast: Cast) -> Part:
        """No space on the volume of one service, rotation that fails, and the level of its log."""
        node, volume = cast.core.nodes[0], f"/var/log/{cast.core.name}"
        text = f"Could not write {volume}/data.journal: java.io.IOException: No space left on device (ENOSPC)"
        refused = repeated(cast, "enospc", cast.core, lambda *_: Said("ERROR", text, "store.journal"), per_hour=120)
        rotated = host.syslog(
            cast.times.onset_at + timedelta(seconds=41),
            node,
            "logrotate[4112]",
            f"error: error writing to {volume}/{cast.core.name}.log.1: No space left on device",
        )
        changed = Setting(cast.core.name, _SETTING, "INFO", "DEBUG", cast.times.change_at)
        lead = (cast.times.onset_at - cast.times.change_at).total_seconds()
        used = moving(
            cast,
            "node_filesystem_used_ratio",
            {"node": node, "mountpoint": volume},
            lambda dice, s: min(1.0, 0.4 + 0.6 * max(0.0, (s + lead) / lead) + dice.uniform(0, 0.001)),
        )
        return Part(events=refused, lines={"syslog.log": (rotated,)}, settings=(changed,), samples=tuple(used))

    def cause(self, cast: Cast) -> Cause:
        """The log that fills the volume."""
        return Cause(
            entities=(cast.core.name,),
            mechanism=(("log", "日志"), ("space", "full", "ENOSPC", "写满", "空间", "runaway")),
            runbook="platform/disk-full.md",
            section="Cause: runaway log file",
        )

    def milestones(self, cast: Cast) -> tuple[Milestone, ...]:
        """Failed saves, the full volume, the level."""
        return (
            Milestone("symptom", ("could not store request",)),
            Milestone("telltale", ("ENOSPC", "No space left on device")),
            Milestone("change", (_SETTING,)),
        )

    def rivals(self, cast: Cast) -> tuple[str, ...]:
        """The other causes of a full volume."""
        return "inode", "deleted file"
