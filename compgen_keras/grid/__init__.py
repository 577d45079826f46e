"""Grids of experiments: run them, stop and resume them, share them between processes and machines, and report on them."""

from compgen_keras.grid.cell import Cell
from compgen_keras.grid.folder import STATES, CellState, GridFolder
from compgen_keras.grid.grid import Grid, find_grid_text, read_grid, shipped_grids
from compgen_keras.grid.worker import run_grid

__all__ = ["STATES", "Cell", "CellState", "Grid", "GridFolder", "find_grid_text", "read_grid", "run_grid", "shipped_grids"]
