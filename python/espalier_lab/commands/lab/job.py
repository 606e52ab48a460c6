# SPDX-License-Identifier: Apache-2.0
"""An MPI program in a network of the lab, and what its links carried."""

import os
import subprocess
import tempfile
from pathlib import Path

from rich.console import Console

from espalier import output, output_files, report, report_files, units
from espalier.commands.run import chosen_settings
from espalier.drift import of_run as drift_of_run
from espalier.installation import Installation, settings_in
from espalier.launchers import exit_status
from espalier_lab.experiments import launch
from espalier_lab.experiments.launch import Family
from espalier_lab.network.plan import Plan
from espalier_lab.network.watch import Observation, Watch

IS_OBSERVATION = output_files.json_with("cpu_busy", "links")


def run_in(
    installation: Installation,
    plan: Plan,
    family: Family,
    program: list[str],
    per_host: int,
    algorithm: str,
    native: bool,
    json: Path | None,
) -> int:
    console = output.console(stderr=True)
    with tempfile.TemporaryDirectory(prefix="espalier-") as temporary:
        wanted = {**settings_in(os.environ), **chosen_settings(algorithm, "", False, [])}
        files = report_files.planned(wanted, Path(temporary))
        job = launch.Job(program, None if native else {**wanted, **files.settings}, per_host)
        watch = Watch(plan)
        with (
            launch.prepared(installation, plan, family, job) as prepared,
            subprocess.Popen(prepared.arguments, env=prepared.environment) as process,
        ):
            process.wait()
        seen = watch.observe()
        reports = files.read()
    status = exit_status(process.returncode)
    with output.complaints_only(console):
        report.show(reports, console)
        show(seen, console)
        drift_of_run.add(reports, files.run)
        drift_of_run.show(reports, console)
    with output.complaints_only(console):
        files.pass_on(reports)
    with output.complaints_only(console):
        if json:
            output_files.write_json(as_json(seen, status), json)
    return status


def show(seen: Observation, console: Console) -> None:
    (near, far), most = seen.busiest
    console.print(
        f"{seen.seconds:.1f} s, CPUs {seen.cpu_busy:.0%} busy. Links carried {units.bytes_text(seen.bytes)} "
        f"in all, on {seen.used} of {len(seen.traffic)} directions; the most: {units.bytes_text(most.bytes)} from "
        f"{near.namespace} to {far.namespace}; packets dropped: {seen.drops}."
    )
    if seen.drops:
        console.print("Packets were dropped: times taken here are of TCP's recovery, not of the links.")
    if seen.cpu_busy > 0.9:
        console.print("The CPUs were the limit, not the links: take a lower --rate or fewer hosts.")


def as_json(seen: Observation, status: int) -> dict[str, object]:
    links = [
        {
            "from": near.namespace,
            "to": far.namespace,
            "device": near.device,
            "bytes": t.bytes,
            "packets": t.packets,
            "drops": t.drops,
            "waits": t.waits,
        }
        for (near, far), t in seen.traffic.items()
    ]
    return {"status": status, "seconds": seen.seconds, "cpu_busy": seen.cpu_busy, "links": links}
