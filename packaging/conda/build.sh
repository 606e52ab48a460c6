#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What rattler-build runs in the sources.
set -euo pipefail

cmake -S . -B build -G Ninja ${CMAKE_ARGS:-} -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
  -DCMAKE_PREFIX_PATH="$PREFIX" -DESPALIER_TOOL=ON -DESPALIER_BACKENDS="$mpi" -DMPI_HOME="$PREFIX"
cmake --build build -j "${CPU_COUNT:-1}"
PYTHONPATH=python python -B tools/write_manual.py build/command --version "$PKG_VERSION"
cmake --install build

# conda removes packages itself.
rm "$PREFIX/share/espalier/manifest.txt" "$PREFIX/share/espalier/uninstall"
