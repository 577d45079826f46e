"""The trajectories of one split: the same for all models and seeds."""

from dataclasses import dataclass

from compgen_keras.worlds.budget import Budget
from compgen_keras.worlds.hold_out import HoldOut
from compgen_keras.worlds.planning import Tasks, draw_tasks
from compgen_keras.worlds.scaling import Scaling
from compgen_keras.worlds.trajectories import Trajectories, draw_trajectories


@dataclass(frozen=True)
class SplitData:
    """What models of one split are trained and measured on.

    Attributes:
        split: which worlds are held out.
        training: trajectories of the training worlds.
        test: fresh trajectories of all worlds.
        adaptation: further trajectories of all worlds, to fine-tune on.
        scaling: of the training trajectories.
        tasks: planning tasks: `"held_out"` and, as many, `"training"`.
    """

    split: HoldOut
    training: Trajectories
    test: Trajectories
    adaptation: Trajectories
    scaling: Scaling
    tasks: dict[str, Tasks]

    @classmethod
    def draw(cls, split: HoldOut, budget: Budget) -> "SplitData":
        """Draws it all; a world's trajectories are the same in every split.

        Args:
            split: which worlds are held out.
            budget: how much.
        """
        every = (*split.training, *split.held_out)
        training = draw_trajectories("train", split.training, budget.training_trajectories)
        tasks = {
            "held_out": draw_tasks(split.held_out, budget.goals),
            "training": draw_tasks(split.training, max(1, budget.goals * len(split.held_out) // len(split.training))),
        }
        return cls(
            split=split,
            training=training,
            test=draw_trajectories("test", every, budget.test_trajectories),
            adaptation=draw_trajectories("adaptation", every, max(budget.adaptation_trajectories)),
            scaling=Scaling.of(training),
            tasks=tasks,
        )

    def test_of(self, kind: str) -> Trajectories:
        """Test trajectories of `"held_out"` or of `"training"` worlds."""
        return self.test.of(self.split.held_out if kind == "held_out" else self.split.training)
