// SPDX-License-Identifier: Apache-2.0
#include "simulate/export/chakra.hpp"

#include <cmath>

#include "simulate/export/protobuf.hpp"

namespace espalier {

namespace {

constexpr std::string_view schema_version = "0.0.4";

namespace metadata_field {
constexpr int version = 1;
}
namespace node_field {
constexpr int id = 1, name = 2, type = 3, data_deps = 5, duration_micros = 7, attr = 10;
}
namespace attribute_field {
constexpr int name = 1, int32_val = 7, int64_val = 9, uint64_val = 13, bool_val = 27;
}
enum class NodeType : std::uint8_t { comp = 4, comm_send = 5, comm_recv = 6 };

class ChakraNode {
 public:
  ChakraNode(std::uint64_t id, std::string_view name, NodeType type) {
    message_.number(node_field::id, id).text(node_field::name, name);
    message_.number(node_field::type, static_cast<std::uint64_t>(type));
    attribute("is_cpu_op", attribute_field::bool_val, 0);
  }

  void attribute(std::string_view name, int value_field, std::uint64_t value) {
    ProtobufMessage attribute;
    attribute.text(attribute_field::name, name).number(value_field, value);
    message_.message(node_field::attr, attribute);
  }
  ProtobufMessage& message() { return message_; }

 private:
  ProtobufMessage message_;
};

ChakraNode message_node(Rank rank, const Task& task, std::uint64_t id) {
  const bool sends = task.kind == Operation::Kind::send;
  ChakraNode node(id, sends ? "send" : "recv", sends ? NodeType::comm_send : NodeType::comm_recv);
  node.attribute("comm_src", attribute_field::int32_val, static_cast<std::uint64_t>(sends ? rank : task.peer));
  node.attribute("comm_dst", attribute_field::int32_val, static_cast<std::uint64_t>(sends ? task.peer : rank));
  node.attribute("comm_tag", attribute_field::int32_val, task.tag);
  node.attribute("comm_size", attribute_field::int64_val, std::max<std::uint64_t>(task.bytes, 1));
  return node;
}

ChakraNode local_node(const Task& task, std::uint64_t id, std::size_t element_bytes,
                      double arithmetic_bytes_per_second) {
  const bool adds = task.kind == Operation::Kind::reduce;
  ChakraNode node(id, adds ? "reduce" : "copy", NodeType::comp);
  if (adds) {
    const double micros = static_cast<double>(task.bytes) / arithmetic_bytes_per_second * 1e6;
    node.message().number(node_field::duration_micros, static_cast<std::uint64_t>(std::llround(micros)));
  }
  node.attribute("num_ops", attribute_field::int64_val, adds ? task.bytes / element_bytes : 0);
  node.attribute("tensor_size", attribute_field::uint64_val, task.bytes);
  return node;
}

}  // namespace

void write_chakra_rank(Rank rank, const RankGraph& graph, std::size_t element_bytes, double arithmetic_bytes_per_second,
                       TextSink& sink) {
  sink.write(ProtobufMessage().text(metadata_field::version, schema_version).with_length());
  TaskEdges edges;
  graph.for_each_task([&](const Task& task) {
    const std::uint64_t id = graph.number_of(task.item);
    ChakraNode node = task.peer != no_rank ? message_node(rank, task, id)
                                           : local_node(task, id, element_bytes, arithmetic_bytes_per_second);
    graph.find_edges(task.item, edges);
    sink.write(node.message().numbers(node_field::data_deps, edges.after_finished).with_length());
  });
}

}  // namespace espalier
