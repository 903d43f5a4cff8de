"""Why a conclusion is refused, in both languages. Data."""

from enum import Enum


class Refusal(Enum):
    """One reason for UNSUPPORTED: its sentence in English and in Chinese."""

    NO_CONCLUSION = ("There is no conclusion to review.", "没有可供复核的结论。")
    NO_TELEMETRY = ("No telemetry is cited for the conclusion.", "结论没有引用任何遥测证据。")
    NOT_SEEN = ("No cited telemetry shows what is called the cause.", "引用的遥测中看不到所称的原因。")
    SYMPTOM = (
        "What is called the cause is a consequence, or only the symptom asked about.",
        "所称的原因只是结果，或只是所问的现象本身。",
    )
    REVERSED = ("Cause and effect are the other way round in the evidence.", "与证据相比，因果方向颠倒。")
    LATE = ("The evidence of the cause begins after that of its effect.", "原因的证据晚于结果的证据。")
    RIVAL = (
        "The cited evidence rules this cause out, or fits another one better.",
        "引用的证据排除了该原因，或更符合另一个原因。",
    )
    SUBJECT = (
        "What is said of a service or component is shown for another one.",
        "所述内容在证据中属于另一个服务或组件。",
    )
    AMOUNT = ("A number belongs to another subject in the evidence.", "某个数值在证据中属于另一个对象。")
    POLARITY = ("The evidence says the opposite of a statement.", "证据与某个陈述相反。")
    TOO_WIDE = ("The conclusion is wider than its evidence.", "结论的范围超出了证据。")
    CAUSAL_OBSERVATION = ("An observation must not name a cause.", "观察性结论不得指出原因。")
    FOREIGN = (
        "A statement speaks of what no cited evidence shows.",
        "某个陈述所说的内容不见于任何引用的证据。",
    )
    UNCOVERED = ("Too little of the conclusion occurs in the cited evidence.", "结论的内容大多不见于引用的证据。")

    @property
    def english(self) -> str:
        """The sentence in English."""
        return str(self.value[0])

    @property
    def chinese(self) -> str:
        """The sentence in Chinese."""
        return str(self.value[1])
