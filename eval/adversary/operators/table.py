"""Every operator, class by class."""

from eval.adversary.operators.absences import ABSENCE_OPERATORS
from eval.adversary.operators.citations import CITATION_OPERATORS
from eval.adversary.operators.computed import COMPUTED_OPERATORS
from eval.adversary.operators.identifiers import IDENTIFIER_OPERATORS
from eval.adversary.operators.kinds import KIND_OPERATORS
from eval.adversary.operators.meanings import MEANING_OPERATORS
from eval.adversary.operators.numbers import NUMBER_OPERATORS
from eval.adversary.operators.operator import Operator
from eval.adversary.operators.planted import PLANTED_OPERATORS
from eval.adversary.operators.polarity import POLARITY_OPERATORS
from eval.adversary.operators.times import TIME_OPERATORS
from eval.adversary.operators.units import UNIT_OPERATORS

OPERATORS: tuple[Operator, ...] = (
    *NUMBER_OPERATORS,
    *UNIT_OPERATORS,
    *TIME_OPERATORS,
    *IDENTIFIER_OPERATORS,
    *CITATION_OPERATORS,
    *COMPUTED_OPERATORS,
    *POLARITY_OPERATORS,
    *ABSENCE_OPERATORS,
    *KIND_OPERATORS,
    *MEANING_OPERATORS,
    *PLANTED_OPERATORS,
)
