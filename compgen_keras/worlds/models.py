"""Models of all worlds: one that is built as worlds are, and two that are one network."""

import keras
from keras import ops

from compgen_keras.errors import InputError
from compgen_keras.worlds.conditioned_network import ConditionedNetwork
from compgen_keras.worlds.dynamics import ACTION_SIZE, STATE_SIZE
from compgen_keras.worlds.mechanisms import ACTUATORS, FIELDS
from compgen_keras.worlds.scaling import Scaling


class WorldModel(keras.Model):
    """What the models share: scaled inputs, a scaled change of state as output, and the step that follows from it.

    Args:
        scaling: a `Scaling` or its config.
        width: units of a hidden layer; None: the class's own, with which all three have nearly the same number of parameters.
        **kwargs: passed on to `keras.Model`.

    Call arguments:
        inputs: a dict of `"state"` (batch, 4), m and m/s, `"action"` (batch, 2), and `"factors"`, integers (batch, 2).

    Returns:
        (batch, 4): the change of state in one step, in units of its root mean square in training.

    Raises:
        ValueError: width is not an integer from 1.
    """

    default_width: int

    def __init__(self, scaling=None, width=None, **kwargs):
        super().__init__(**kwargs)
        self.scaling = scaling if isinstance(scaling, Scaling) else Scaling.from_config(scaling or {})
        self.width = self.default_width if width is None else width
        self.networks = self.make_networks()
        self.build()

    def make_networks(self) -> list:
        """Makes the networks whose contributions are added, each a `ConditionedNetwork`."""
        raise NotImplementedError

    def codes(self, factors) -> list:
        """For each network the codes it is told, integers (batch, codes)."""
        raise NotImplementedError

    def build(self, input_shape=None):
        if self.built:
            return
        for network in self.networks:
            network.build((None, STATE_SIZE + ACTION_SIZE))
        self.built = True

    def call(self, inputs, training=None):
        mean, deviation = (
            ops.convert_to_tensor(values, dtype=self.compute_dtype) for values in (self.scaling.mean, self.scaling.deviation)
        )
        state, action = (ops.cast(inputs[name], self.compute_dtype) for name in ("state", "action"))
        motion = ops.concatenate([(state - mean) / deviation, action], axis=-1)
        codes = self.codes(ops.cast(inputs["factors"], "int32"))
        return sum(network(motion, of_network) for network, of_network in zip(self.networks, codes, strict=True))

    def next_state(self, state, action, factors):
        """The predicted state one step later; arguments and value as those of `TrueDynamics.next_state`."""
        state, action = (ops.convert_to_tensor(value, dtype="float32") for value in (state, action))
        factors = ops.convert_to_tensor(factors, dtype="int32")
        change = self({"state": state, "action": action, "factors": factors}, training=False)
        return state + ops.cast(change, "float32") * ops.convert_to_tensor(self.scaling.change, dtype="float32")

    def get_config(self):
        return {"name": self.name, "scaling": self.scaling.as_config(), "width": self.width}


@keras.saving.register_keras_serializable(package="compgen_keras")
class FactoredModel(WorldModel):
    """A network for each kind of mechanism, conditioned on that factor alone; their contributions add up.

    Each network reads the whole state and action. That the sum is the right form is told, what the parts are is learned.

    Args:
        scaling: see `WorldModel`.
        width: see `WorldModel`.
        **kwargs: passed on to `keras.Model`.

    Example:

    >>> model = FactoredModel()
    >>> tuple(model.next_state([[0.0, 0.0, 1.0, 0.0]], [[0.5, 0.0]], [[0, 3]]).shape)
    (1, 4)
    """

    default_width = 64

    def make_networks(self):
        return [
            ConditionedNetwork((len(ACTUATORS),), self.width, name="actuator"),
            ConditionedNetwork((len(FIELDS),), self.width, name="field"),
        ]

    def codes(self, factors):
        return [factors[:, :1], factors[:, 1:]]


@keras.saving.register_keras_serializable(package="compgen_keras")
class JoinedFactorsModel(WorldModel):
    """One network that is given the embeddings of both factors, side by side: it knows the factors but not that they add up.

    Args:
        scaling: see `WorldModel`.
        width: see `WorldModel`.
        **kwargs: passed on to `keras.Model`.
    """

    default_width = 91

    def make_networks(self):
        return [ConditionedNetwork((len(ACTUATORS), len(FIELDS)), self.width, name="joined")]

    def codes(self, factors):
        return [factors]


@keras.saving.register_keras_serializable(package="compgen_keras")
class WorldIdModel(WorldModel):
    """The categorical baseline: one network that is given an embedding of the world's number.

    A world that was never trained on has an embedding that was never trained: its random initial values. The model has no rule by which
    worlds could share anything but the network.

    Args:
        scaling: see `WorldModel`.
        width: see `WorldModel`.
        **kwargs: passed on to `keras.Model`.
    """

    default_width = 94

    def make_networks(self):
        return [ConditionedNetwork((len(ACTUATORS) * len(FIELDS),), self.width, name="world")]

    def codes(self, factors):
        return [factors[:, :1] * len(FIELDS) + factors[:, 1:]]

    @property
    def world_embeddings(self):
        """The variable of the embeddings, a row a world: actuator × number of fields + field."""
        return self.networks[0].embeddings[0].embeddings


MODELS = {"factored": FactoredModel, "joined_factors": JoinedFactorsModel, "world_id": WorldIdModel}
"""The models by name."""

TITLES = {"factored": "factored", "joined_factors": "joined factors", "world_id": "world ID"}
"""What they are called in tables and figures."""


def check_model_names(names) -> tuple[str, ...]:
    """The names, if there are such models.

    Raises:
        ValueError: an unknown name, or none.
    """
    names = tuple(names)
    unknown = [name for name in names if name not in MODELS]
    if unknown or not names:
        raise InputError(f"models are {list(names)}; expected one or more of {', '.join(MODELS)}.")
    return names
