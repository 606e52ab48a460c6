# SPDX-License-Identifier: Apache-2.0
"""A Poisson problem in three dimensions by PETSc: conjugate gradients with multigrid, and directly by MUMPS.

poisson.py [TIMES]: so often
"""

import sys
import time
from pathlib import Path

# Debian installs one for each kind of number, outside of Python's path.
sys.path += map(str, Path("/usr/lib/petscdir").glob("petsc*/*-real/lib/python3/dist-packages"))

from petsc4py import PETSc


def laplacian(grid: PETSc.DMDA) -> PETSc.Mat:
    matrix = grid.createMatrix()
    sizes = grid.getSizes()
    (x0, x1), (y0, y1), (z0, z1) = grid.getRanges()
    row, column = PETSc.Mat.Stencil(), PETSc.Mat.Stencil()
    for z in range(z0, z1):
        for y in range(y0, y1):
            for x in range(x0, x1):
                row.index = (x, y, z)
                matrix.setValueStencil(row, row, 6.0)
                for axis, step in ((axis, step) for axis in range(3) for step in (-1, 1)):
                    other = [x, y, z]
                    other[axis] += step
                    if 0 <= other[axis] < sizes[axis]:
                        column.index = tuple(other)
                        matrix.setValueStencil(row, column, -1.0)
    matrix.assemble()
    return matrix


def solve(matrix: PETSc.Mat, right: PETSc.Vec, method: str, preconditioner: str, package: str = "") -> PETSc.Vec:
    solver = PETSc.KSP().create()
    solver.setOperators(matrix)
    solver.setType(method)
    solver.getPC().setType(preconditioner)
    if package:
        solver.getPC().setFactorSolverType(package)
    solver.setTolerances(rtol=1e-10)
    solution = right.duplicate()
    solver.solve(right, solution)
    remainder = right - matrix * solution
    PETSc.Sys.Print(
        f"{method} {preconditioner} {package} steps {solver.getIterationNumber()} "
        f"norm {solution.norm():.12e} residual {remainder.norm() / right.norm():.3e}"
    )
    return solution


def main(times: int) -> None:
    grid = PETSc.DMDA().create([17, 16, 15], stencil_width=1)
    matrix = laplacian(grid)
    right = grid.createGlobalVec()
    right.set(1.0)
    started = time.perf_counter()
    for _ in range(times):
        iterated = solve(matrix, right, "cg", "gamg")
        direct = solve(matrix, right, "preonly", "lu", "mumps")
    PETSc.Sys.Print(f"seconds {time.perf_counter() - started:.4f}")
    scattered, whole = PETSc.Scatter.toZero(direct)
    scattered.scatter(direct, whole)
    PETSc.Sys.Print(f"on rank 0 {whole.getSize()} difference {(iterated - direct).norm():.3e}")


main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
