# SPDX-License-Identifier: Apache-2.0
import os

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Espalier(CMakePackage):
    """MPI collectives that fit the network a job really got. Preloaded under unmodified MPI programs, it tries its own
    algorithms against the MPI's while the program runs, and keeps those that are faster there."""

    license("Apache-2.0", checked_by="the authors of Espalier")

    # There is no archive to fetch yet: `spack develop` names a checkout.
    version("0.1.0")

    variant("tool", default=True, description="What explains, proves and draws algorithms")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("mpi")
    conflicts("%gcc@:10", msg="C++20 as GCC has it from 11 on")
    conflicts("%clang@:13", msg="C++20 as Clang has it from 14 on")
    conflicts("platform=darwin", msg="There is no LD_PRELOAD")

    with when("+tool"):
        depends_on("cli11")
        depends_on("nlohmann-json")
        depends_on("hwloc")

    # What the command needs; at build time, too, as manual pages and completions are what it says of itself.
    with default_args(type=("build", "run")):
        depends_on("python@3.9:")
        depends_on("py-jinja2")
        depends_on("py-rich")
        depends_on("py-tomli", when="^python@:3.10")
        depends_on("py-tomli-w")
        depends_on("py-typer@0.12:")

    def cmake_args(self):
        family = "openmpi" if self.spec["mpi"].satisfies("openmpi") else "mpich"
        return [
            self.define_from_variant("ESPALIER_TOOL", "tool"),
            self.define("ESPALIER_BACKENDS", family),
            self.define("MPI_HOME", self.spec["mpi"].prefix),
            self.define("CMAKE_INSTALL_LIBDIR", "lib"),
        ]

    @run_before("install")
    def write_manual(self):
        manual = join_path(self.build_directory, "command")
        words = ["-B", "tools/write_manual.py", manual, "--version", str(self.version)]
        path = ":".join(["python", os.environ.get("PYTHONPATH", "")])
        with working_dir(self.stage.source_path):
            python(*words, extra_env={"PYTHONPATH": path})

    def setup_run_environment(self, env):
        env.set("LIBESPALIER", join_path(self.prefix.lib, "libespalier.so"))
