# SPDX-License-Identifier: Apache-2.0
"""Trains a network of three layers on all ranks, by gradient descent with momentum: each rank has its part of the
examples, and the gradients of all layers, 128 B to 1 MiB, are added up in every step. What is to be learnt are the
classes that another network, drawn at random, gives to random points.

train.py [STEPS]
"""

import sys
import time
from itertools import pairwise

import numpy as np
from mpi4py import MPI

SIZES = (128, 512, 256, 16)  # of the points, the hidden layers, and how many classes there are
EXAMPLES, BATCH = 4096, 16  # of each rank
RATE, MOMENTUM = 0.05, 0.9
TOLD = 100  # steps between two lines
LEAST_RIGHT = 0.5  # of the examples, after 400 steps and more; by chance it is 1/16

Layers = list[np.ndarray]  # weights and biases in turns

world = MPI.COMM_WORLD


def drawn(random: np.random.Generator) -> Layers:
    layers = []
    for inputs, outputs in pairwise(SIZES):
        layers += [random.standard_normal((inputs, outputs)) * np.sqrt(2 / inputs), np.zeros(outputs)]
    return layers


def through(layers: Layers, points: np.ndarray) -> list[np.ndarray]:
    """What goes into each layer, and what comes out of the last one."""
    values = [points]
    for weights, biases in zip(layers[::2], layers[1::2], strict=True):
        if len(values) > 1:
            np.maximum(values[-1], 0, out=values[-1])
        values.append(values[-1] @ weights + biases)
    return values


def loss_and_gradients(layers: Layers, points: np.ndarray, classes: np.ndarray) -> tuple[float, Layers]:
    *values, scores = through(layers, points)
    scores -= scores.max(axis=1, keepdims=True)
    shares = np.exp(scores)
    shares /= shares.sum(axis=1, keepdims=True)
    rows = np.arange(len(points))
    loss = -np.log(shares[rows, classes]).mean()
    shares[rows, classes] -= 1
    error = shares / len(points)
    gradients: Layers = []
    for weights, value in zip(reversed(layers[::2]), reversed(values), strict=True):
        gradients = [value.T @ error, error.sum(axis=0), *gradients]
        error = (error @ weights.T) * (value > 0)
    return float(loss), gradients


def mean_over_ranks(number: float) -> float:
    total = np.array([number])
    world.Allreduce(MPI.IN_PLACE, total)
    return float(total[0]) / world.size


def train(layers: Layers, points: np.ndarray, classes: np.ndarray, steps: int) -> None:
    speeds = [np.zeros_like(layer) for layer in layers]
    random = np.random.default_rng(world.rank)
    for step in range(1, steps + 1):
        batch = random.integers(0, len(points), BATCH)
        loss, gradients = loss_and_gradients(layers, points[batch], classes[batch])
        for layer, speed, gradient in zip(layers, speeds, gradients, strict=True):
            world.Allreduce(MPI.IN_PLACE, gradient)
            speed *= MOMENTUM
            speed -= RATE / world.size * gradient
            layer += speed
        everywhere = mean_over_ranks(loss)
        if step % TOLD == 0 and world.rank == 0:
            print(f"step {step} loss {everywhere:.6f}", flush=True)


def main(steps: int) -> None:
    layers = drawn(np.random.default_rng(1 + world.rank))
    points = np.random.default_rng(100 + world.rank).standard_normal((EXAMPLES, SIZES[0]))
    classes = through(drawn(np.random.default_rng(99)), points)[-1].argmax(axis=1)
    world.Barrier()
    started = time.perf_counter()
    for layer in layers:
        world.Bcast(layer)
    train(layers, points, classes, steps)
    took = world.allreduce(time.perf_counter() - started, op=MPI.MAX)

    right = mean_over_ranks((through(layers, points)[-1].argmax(axis=1) == classes).mean())
    digest = float(sum(np.abs(layer).sum() for layer in layers))
    same = world.allreduce(digest, op=MPI.MIN) == world.allreduce(digest, op=MPI.MAX)
    if world.rank == 0:
        learnt = right > LEAST_RIGHT or steps < 400
        print(f"right {right:.4f} learnt: {learnt}, all ranks have the same layers: {same}")
        print(f"sum of the layers {digest:.9e}")
        print(f"seconds {took:.4f}", flush=True)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
