"""What is held out, and that every mechanism stays in training."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compgen_keras.worlds import HoldOut

sides = st.integers(2, 9)


@given(sides, st.data())
def test_an_anti_diagonal_takes_one_cell_of_every_row_and_column(side, data):
    number = data.draw(st.integers(0, side - 1))
    split = HoldOut.anti_diagonal(number, side)
    assert sorted((*split.training, *split.held_out)) == [(row, column) for row in range(side) for column in range(side)]
    for place in (0, 1):
        assert sorted(cell[place] for cell in split.held_out) == list(range(side))
        assert all(sum(cell[place] == value for cell in split.training) == side - 1 for value in range(side))
    assert all((row + column - number) % side == 0 for row, column in split.held_out)


@given(sides)
def test_the_diagonals_share_out_the_grid(side):
    cells = [cell for number in range(side) for cell in HoldOut.anti_diagonal(number, side).held_out]
    assert len(cells) == len(set(cells)) == side * side


def test_neighbours_share_a_factor_and_are_trained_on():
    split = HoldOut.anti_diagonal(1, side=3)
    assert split.neighbours((0, 1), 0) == ((0, 0), (0, 2))
    assert split.neighbours((0, 1), 1) == ((1, 1), (2, 1))


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: HoldOut.anti_diagonal(5), "diagonal is 5; expected an integer from 0 to 4"),
        (lambda: HoldOut.anti_diagonal(0, side=1), "side is 1; expected an integer from 2"),
        (lambda: HoldOut(((0, 0), (0, 1)), ((1, 0), (1, 1)), 2), r"row \(actuator\) 1 has no training cell; expected every value"),
        (lambda: HoldOut(((0, 0), (1, 0)), ((0, 1), (1, 1)), 2), r"column \(field\) 1 has no training cell"),
        (lambda: HoldOut(((0, 0), (1, 1)), ((0, 0),), 2), r"cell \(0, 0\) is in training and held out"),
        (lambda: HoldOut(((0, 0), (1, 2)), (), 2), r"cell \(1, 2\) is outside the grid"),
    ],
)
def test_bad_splits_are_named(make, complaint):
    with pytest.raises(ValueError, match=complaint):
        make()
