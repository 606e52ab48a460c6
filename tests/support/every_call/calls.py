# SPDX-License-Identifier: Apache-2.0
"""The calls of a program, in each language: what it holds is set, the call is made, what it holds then is checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from every_call.functions import Form, Function, all_functions
from every_call.messages import Case, cases_of


@dataclass(frozen=True)
class Step:
    """A call that the program makes."""

    number: int  # of the case, from 0
    case: Case
    function: Function


def all_cases() -> list[Case]:
    lines = {function.blocking: function.collective for function in all_functions()}
    return [case for blocking, collective in lines.items() for case in cases_of(blocking, collective)]


def steps_for(functions: Sequence[Function]) -> list[Step]:
    """Blocking calls come first: by them ranks agree on what nonblocking ones need."""
    steps = [
        Step(number, case, function)
        for number, case in enumerate(all_cases())
        for function in functions
        if function.blocking == case.blocking
    ]
    return sorted(steps, key=lambda step: list(Form).index(step.function.form))


def in_c(step: Step) -> Iterator[str]:
    function = step.function
    yield f'begin("{function.collective}", {step.number});'
    here, elsewhere = (f"{function.name}({', '.join(arguments(step, root))});" for root in (True, False))
    yield here if here == elsewhere else f"if (rank == ROOT) {here} else {elsewhere}"
    if function.form is not Form.blocking:
        yield f"complete_{function.form.value}();"
    yield f'check("{function.name}", "{function.collective}");'


def in_fortran(step: Step) -> Iterator[str]:
    function = step.function
    name = function.name.removesuffix("_c")
    yield f"call begin('{function.collective}', {step.number})"
    here, elsewhere = (f"call {name}({', '.join([*arguments(step, root), 'error'])})" for root in (True, False))
    yield from [here] if here == elsewhere else ["if (rank == ROOT) then", here, "else", elsewhere, "end if"]
    if function.form is not Form.blocking:
        yield f"call complete_{function.form.value}"
    yield f"call check('{function.name}', '{function.collective}')"


# mpi4py's buffers come with what is in them, and it takes the counts of reductions from there.
def in_python(step: Step) -> Iterator[str]:
    function, case = step.function, step.case
    yield f'begin("{function.collective}", {step.number})'
    here, elsewhere = (", ".join(python_arguments(step, root)) for root in (True, False))
    method = f"world.{function.name.removeprefix('MPI_')}"
    call = f"{method}({here})" if here == elsewhere else f"{method}({here}) if rank == ROOT else {method}({elsewhere})"
    yield call if function.form is Form.blocking else f"complete_{function.form.value}({call})"
    yield f'check("{function.name}", "{case.collective}")'


def marks_place(case: Case, at_root: bool) -> bool:
    return case.is_in_place and (at_root or not case.is_rooted)


def arguments(step: Step, at_root: bool) -> list[str]:
    """The frame's variables, in the order of the function's parameters."""
    case = step.case
    words = {"buffer": "recvbuf", "count": "recvcount" if case.collective == "bcast" else "sendcount"}
    if case.is_absolute:
        words |= {"buffer": "MPI_BOTTOM", "recvbuf": "MPI_BOTTOM", "datatype": "absolute", "recvtype": "absolute"}
    if marks_place(case, at_root):
        words |= {"recvbuf" if case.collective == "scatter" else "sendbuf": "MPI_IN_PLACE"}

    def argument(parameter: str) -> str:
        word = words.get(parameter, parameter)
        is_number = word.endswith(("count", "counts", "displs"))
        return f"large_{word}" if is_number and step.function.is_large else word

    return [argument(parameter) for parameter in step.function.parameters]


def python_arguments(step: Step, at_root: bool) -> Iterator[str]:
    case, parameters = step.case, step.function.parameters
    sends = at_root or case.collective != "scatter"
    receives = at_root or case.collective not in ("gather", "reduce")
    in_place = marks_place(case, at_root)
    place = "recvbuf" if case.collective == "scatter" else "sendbuf"
    if "buffer" in parameters:
        yield python_buffer(step, "recv", in_place)
    for side, takes_part in (("send", sends), ("recv", receives)):
        if f"{side}buf" in parameters:
            is_marked = in_place and place == f"{side}buf"
            yield "MPI.IN_PLACE" if is_marked else python_buffer(step, side, in_place) if takes_part else "None"
    if "op" in parameters and "recvcounts" in parameters:
        yield "recvcounts"
    yield from (word for word in ("op", "root") if word in parameters)


def python_buffer(step: Step, side: str, in_place: bool) -> str:
    parameters = step.function.parameters
    is_absolute = step.case.is_absolute and side == "recv"
    buffer, datatype = ("MPI.BOTTOM", "absolute") if is_absolute else (f"{side}buf", "MPI.INT")
    if f"{side}types" in parameters:
        return f"[{buffer}, {side}counts, {side[0]}displs, {side}types]"
    if f"{side[0]}displs" in parameters:
        return f"[{buffer}, {side}counts, {side[0]}displs, {datatype}]"
    is_whole = "op" in parameters and "recvcount" not in parameters and (side == "send" or in_place)
    count = "sendcount" if is_whole else "recvcount" if "op" in parameters else f"{side}count"
    return f"[{buffer}, {count}, {datatype}]"
