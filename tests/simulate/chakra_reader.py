# SPDX-License-Identifier: Apache-2.0
"""Reads Chakra traces with Google's protobuf, by the fields that MLCommons published (schema/protobuf/et_def.proto)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, unknown_fields
from google.protobuf.internal.decoder import _DecodeVarint32  # type: ignore[attr-defined]

Field = descriptor_pb2.FieldDescriptorProto
COMP_NODE, COMM_SEND_NODE, COMM_RECV_NODE = 4, 5, 6

# Name: number, type, whether it is repeated.
METADATA = {"version": (1, "string", False), "attr": (2, "AttributeProto", True)}
ATTRIBUTE = {
    "name": (1, "string", False),
    "double_val": (3, "double", False),
    "int32_val": (7, "int32", False),
    "int64_val": (9, "int64", False),
    "uint32_val": (11, "uint32", False),
    "uint64_val": (13, "uint64", False),
    "bool_val": (27, "bool", False),
    "string_val": (29, "string", False),
}
NODE = {
    "id": (1, "uint64", False),
    "name": (2, "string", False),
    "type": (3, "int32", False),  # an enum
    "ctrl_deps": (4, "uint64", True),
    "data_deps": (5, "uint64", True),
    "start_time_micros": (6, "uint64", False),
    "duration_micros": (7, "uint64", False),
    "attr": (10, "AttributeProto", True),
}


def message_classes() -> dict[str, Any]:
    file = descriptor_pb2.FileDescriptorProto(name="et_def.proto", package="ChakraProtoMsg", syntax="proto3")
    for name, fields in (("AttributeProto", ATTRIBUTE), ("GlobalMetadata", METADATA), ("Node", NODE)):
        message = file.message_type.add(name=name)
        if name == "AttributeProto":
            message.oneof_decl.add(name="value")
        for field, (number, kind, is_repeated) in fields.items():
            label = Field.LABEL_REPEATED if is_repeated else Field.LABEL_OPTIONAL
            added = message.field.add(name=field, number=number, label=label)
            if kind == "AttributeProto":
                added.type, added.type_name = Field.TYPE_MESSAGE, ".ChakraProtoMsg.AttributeProto"
            else:
                added.type = getattr(Field, f"TYPE_{kind.upper()}")
            if field.endswith("_val"):
                added.oneof_index = 0
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClassesForFiles(["et_def.proto"], pool)


CLASSES = message_classes()


def messages(path: Path) -> Iterator[Any]:
    """GlobalMetadata, then nodes."""
    data, place = path.read_bytes(), 0
    name = "ChakraProtoMsg.GlobalMetadata"
    while place < len(data):
        size, place = _DecodeVarint32(data, place)
        assert place + size <= len(data)
        message = CLASSES[name].FromString(data[place : place + size])
        assert not len(unknown_fields.UnknownFieldSet(message))
        yield message
        place += size
        name = "ChakraProtoMsg.Node"


def attributes(node: Any) -> dict[str, int]:
    return {attribute.name: getattr(attribute, attribute.WhichOneof("value")) for attribute in node.attr}
