"""The seven generalization tasks of section 2 of Shi et al., and the control without a shift."""

from dataclasses import dataclass

from compgen_keras.errors import InputError


@dataclass(frozen=True)
class Task:
    """A way in which the test distribution differs from the training distribution.

    Attributes:
        identifier: the name in code, such as `"length_generalization"`.
        title: the paper's name.
        question: what a model must be able to do, in one sentence (section 2).
    """

    identifier: str
    title: str
    question: str


TASKS = (
    Task("iid", "No shift", "Can the model solve unseen problems of the training distribution itself?"),
    Task("length_generalization", "Length-Generalization", "Can the model write programs of more parts than any in training?"),
    Task(
        "length_generalization_hard",
        "Length-Generalization-Hard",
        "Having seen one number of parts only, can it write programs of fewer and of more?",
    ),
    Task(
        "length_generalization_hardest",
        "Length-Generalization-Hardest",
        "Having seen single parts only, can it join several into one program?",
    ),
    Task(
        "compose_different_concepts",
        "Compose-Different-Concepts",
        "Can it join concepts in one program that it has only seen in separate programs?",
    ),
    Task("switch_concept_order", "Switch-Concept-Order", "Can it join two concepts in the order opposite to the one in training?"),
    Task(
        "compose_new_operation",
        "Compose-New-Operation",
        "Can it use an operation inside larger programs that it has only seen alone?",
    ),
    Task(
        "add_operation_functionality",
        "Add-Operation-Functionality",
        "Can it use an operation in a new way that parallel operations suggest?",
    ),
)
TASKS_BY_IDENTIFIER = {task.identifier: task for task in TASKS}


def find_task(identifier: str) -> Task:
    """The task of that name.

    Raises:
        ValueError: no task is called that.
    """
    if not isinstance(identifier, str) or identifier not in TASKS_BY_IDENTIFIER:
        raise InputError(f"unknown task {identifier!r}; expected one of {', '.join(TASKS_BY_IDENTIFIER)}.")
    return TASKS_BY_IDENTIFIER[identifier]
