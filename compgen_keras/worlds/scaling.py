"""Units in which models read states, write changes, and are measured."""

from dataclasses import asdict, dataclass

import numpy as np

from compgen_keras.worlds.trajectories import Trajectories


@dataclass(frozen=True)
class Scaling:
    """Statistics of training data, one number for each of position x, y and velocity x, y.

    Attributes:
        mean: of the states.
        deviation: standard deviation of the states; errors are given in its units.
        change: root mean square of a state's change in one step.
    """

    mean: tuple[float, ...] = (0.0,) * 4
    deviation: tuple[float, ...] = (1.0,) * 4
    change: tuple[float, ...] = (1.0,) * 4

    @classmethod
    def of(cls, training: Trajectories) -> "Scaling":
        """The scaling of some trajectories, which are to be training's alone.

        Args:
            training: the trajectories.
        """
        states = training.states.astype("float64")
        change = np.sqrt(np.mean(np.diff(states, axis=1) ** 2, axis=(0, 1)))
        numbers = (states.mean(axis=(0, 1)), states.std(axis=(0, 1)), change)
        return cls(*(tuple(float(value) for value in vector) for vector in numbers))

    def as_config(self) -> dict:
        """The scaling as it is saved with a model."""
        return {name: list(values) for name, values in asdict(self).items()}

    @classmethod
    def from_config(cls, config: dict) -> "Scaling":
        """The inverse of `as_config`."""
        return cls(**{name: tuple(values) for name, values in config.items()})
