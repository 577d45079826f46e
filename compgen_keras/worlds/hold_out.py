"""Which worlds are kept out of training."""

from dataclasses import dataclass

from compgen_keras.errors import InputError, require_integer
from compgen_keras.worlds.mechanisms import SIDE


@dataclass(frozen=True)
class HoldOut:
    """A split of the grid of worlds.

    Attributes:
        training: cells (actuator, field) that training sees.
        held_out: cells that it does not.
        side: values of each factor.

    Raises:
        ValueError: a cell is outside the grid or on both sides, or a row or column has no training cell.
    """

    training: tuple[tuple[int, int], ...]
    held_out: tuple[tuple[int, int], ...]
    side: int = SIDE

    def __post_init__(self):
        require_integer("side", self.side, 2)
        for cell in (*self.training, *self.held_out):
            if not all(0 <= value < self.side for value in cell):
                raise InputError(f"cell {cell} is outside the grid; expected factors from 0 to {self.side - 1}.")
        both = set(self.training) & set(self.held_out)
        if both:
            raise InputError(f"cell {min(both)} is in training and held out; expected each cell on one side: remove it from the other.")
        for place, kind in enumerate(("row (actuator)", "column (field)")):
            missing = set(range(self.side)) - {cell[place] for cell in self.training}
            if missing:
                raise InputError(
                    f"{kind} {min(missing)} has no training cell; expected every value of each factor in training: hold out fewer cells."
                )

    @classmethod
    def anti_diagonal(cls, number: int, side: int = SIDE) -> "HoldOut":
        """Holds out the cells whose factors add up to a number, modulo the side.

        Every row and every column loses exactly one cell.

        Args:
            number: which diagonal, from 0 to side - 1.
            side: values of each factor, from 2.

        Raises:
            ValueError: the number or the side is out of range.

        Example:

        >>> HoldOut.anti_diagonal(1, side=3).held_out
        ((0, 1), (1, 0), (2, 2))

        Reference: *Held-out combinations* of the section *Measuring Systematic Generalization*.
        """
        require_integer("side", side, 2)
        require_integer("diagonal", number, 0, side - 1)
        cells = [(row, column) for row in range(side) for column in range(side)]
        out = tuple(cell for cell in cells if sum(cell) % side == number)
        return cls(tuple(cell for cell in cells if cell not in out), out, side)

    def neighbours(self, cell: tuple[int, int], place: int) -> tuple[tuple[int, int], ...]:
        """Training cells that share a factor with a cell.

        Args:
            cell: (actuator, field).
            place: which factor, 0 the actuator, 1 the field.
        """
        return tuple(other for other in self.training if other[place] == cell[place])
