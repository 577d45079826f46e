"""How much of everything a study does."""

from dataclasses import asdict, dataclass, fields

from compgen_keras.errors import require_integer


@dataclass(frozen=True)
class Budget:
    """Sizes of a study; those given here are the full study's.

    Attributes:
        training_trajectories: of each training world, 20 steps each.
        test_trajectories: of every world.
        training_steps: optimizer steps of a training.
        goals: planning tasks in each held-out world; training worlds have a quarter of them, so that both have as many.
        candidates: plans that the planner draws in an iteration.
        iterations: of the planner.
        adaptation_trajectories: the numbers of trajectories that fine-tuning is given.
        adaptation_steps: optimizer steps of a fine-tuning.
        swap_repeats: groups of states and actions that the swap test is repeated on.

    Raises:
        ValueError: a number is no integer, or too small.
    """

    training_trajectories: int = 32
    test_trajectories: int = 32
    training_steps: int = 3_000
    goals: int = 8
    candidates: int = 96
    iterations: int = 8
    adaptation_trajectories: tuple[int, ...] = (1, 2, 5, 10)
    adaptation_steps: int = 100
    swap_repeats: int = 4

    def __post_init__(self):
        least = {"goals": 4, "candidates": 8, "test_trajectories": 2, "training_trajectories": 2, "swap_repeats": 2}
        for field in fields(self):
            value = getattr(self, field.name)
            for number in value if isinstance(value, tuple) else (value,):
                require_integer(field.name, number, least.get(field.name, 1))

    def as_dict(self) -> dict:
        """The sizes by name, as JSON can hold them."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


TINY = Budget(
    training_trajectories=4,
    test_trajectories=2,
    training_steps=30,
    goals=4,
    candidates=8,
    iterations=2,
    adaptation_trajectories=(1, 2),
    adaptation_steps=5,
    swap_repeats=2,
)
"""A study of seconds: it shows that everything works, its numbers mean nothing."""
