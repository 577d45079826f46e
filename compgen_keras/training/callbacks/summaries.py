"""Writing TensorBoard's files, which TensorFlow does on every Keras backend."""

from pathlib import Path

import numpy as np


class Summaries:
    """A folder of TensorBoard's files that is made when something is first written.

    Args:
        log_dir: the folder.
    """

    def __init__(self, log_dir):
        self.log_dir = Path(log_dir)
        self._writer = None

    def scalar(self, tag: str, value: float, step: int) -> None:
        """Writes a number."""
        self._write("scalar", tag, value, step)

    def code(self, tag: str, text: str, step: int) -> None:
        """Writes text that TensorBoard shows as it is, in columns."""
        self._write("text", tag, f"```\n{text}\n```", step)

    def picture(self, tag: str, figure, step: int) -> None:
        """Writes a matplotlib figure."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        self._write("image", tag, np.asarray(canvas.buffer_rgba())[None], step)

    def flush(self) -> None:
        """Makes what was written visible to TensorBoard."""
        if self._writer is not None:
            self._writer.flush()

    def _write(self, kind, tag, value, step):
        import tensorflow as tf

        if self._writer is None:
            self._writer = tf.summary.create_file_writer(str(self.log_dir))
        with self._writer.as_default():
            getattr(tf.summary, kind)(tag, value, step=step)
