# SPDX-License-Identifier: Apache-2.0
"""What all Python tests share: the build tree, and an environment in which every MPI starts on a small machine."""

import os
import signal
from pathlib import Path

import pytest
from drawn import IS_THOROUGH, drawn

ROOT = Path(__file__).resolve().parents[1]

# More ranks than cores, and root in a container, are all right here.
SMALL_MACHINE = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
# Open MPI takes shared memory and TCP here in any case; that it looks for libfabric's networks first takes three
# quarters of the time of a short job. A thorough run has it as users have it.
NO_SEARCH = {} if IS_THOROUGH else {"OMPI_MCA_btl": "^ofi", "OMPI_MCA_mtl": "^ofi"}
# What one test's programs learn is nothing to the next one's.
NO_MEMORY = {"XDG_CACHE_HOME": "/dev/null/nowhere"}
# Nor are the settings of who runs them.
NO_FILE = {"XDG_CONFIG_HOME": "/dev/null/nowhere"}
os.environ.update(SMALL_MACHINE | NO_SEARCH | NO_MEMORY | NO_FILE)
# A shell has what it runs in the background ignore interrupts, and nohup more; what tests start shall get them.
signal.signal(signal.SIGINT, signal.default_int_handler)
for number in (signal.SIGHUP, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)


def pytest_configure(config: pytest.Config) -> None:
    """Tests start the command many hundred times: it is compiled once, also where nothing may be written next to it."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(Path(config.getoption("--build")).resolve() / "python-cache")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--build", default=str(ROOT / "build"), help="the build tree to test")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    kept = drawn(items)
    left_out = set(items) - set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = kept


@pytest.fixture(scope="session")
def build(request: pytest.FixtureRequest) -> Path:
    path = Path(request.config.getoption("--build")).resolve()
    if not (path / "lib" / "libespalier.so").exists():
        pytest.exit(f"{path} holds no build; run: make build", returncode=2)
    return path
