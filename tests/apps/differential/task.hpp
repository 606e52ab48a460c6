// SPDX-License-Identifier: Apache-2.0
// What a case means on one rank of a communicator: which blocks its buffers have, how large they are and what is in
// them. The collective's contract says it; between two groups, which contracts do not know, the places in the buffers.
#pragma once

#include "core/choice.hpp"
#include "core/problem.hpp"
#include "differential/case.hpp"
#include "differential/groups.hpp"
#include "differential/layouts.hpp"
#include "differential/operands.hpp"

namespace espalier::apps {

class Task {
 public:
  Task(const Case& one, const Group& group);

  [[nodiscard]] const Case& made_of() const { return case_; }
  [[nodiscard]] const Contract& contract() const { return contract_; }
  [[nodiscard]] const Group& group() const { return group_; }
  [[nodiscard]] const Operand& operand() const { return *operand_; }  // where something is reduced

  [[nodiscard]] int root() const { return root_; }  // as the call says it
  [[nodiscard]] bool has_input() const { return has(contract_.input_at); }
  [[nodiscard]] bool has_output() const { return has(contract_.output_at) && !input_stays(); }
  [[nodiscard]] bool is_in_place() const { return is_in_place_; }
  // In place, but the output is what there is not.
  [[nodiscard]] bool input_stays() const { return is_in_place_ && contract_.in_place == InPlace::stays; }

  // The blocks of the buffers.
  [[nodiscard]] Held sent() const { return held(contract_.input); }
  [[nodiscard]] Held received() const { return held(contract_.output); }
  // How many units a block has.
  [[nodiscard]] int units(int label) const;
  [[nodiscard]] std::vector<int> units_of(const Held& blocks) const;

  // How this rank lays out units that it sends and receives.
  [[nodiscard]] Side sent_unit() const { return unit(place()); }
  [[nodiscard]] Side received_unit() const { return unit(is_one_message() ? place() : place() + 1); }
  // A whole message, where the call names it at once, may lie as no number of units does.
  [[nodiscard]] bool is_whole() const { return layout_ != nullptr && layout_->whole != nullptr && is_one_message(); }
  [[nodiscard]] Side whole() const { return layout_->whole(units(0), place()); }

  // The bytes of a block that is moved.
  [[nodiscard]] std::vector<std::byte> message(int label, std::uint64_t seed) const;

  // As Espalier should see it.
  [[nodiscard]] Problem problem() const;
  [[nodiscard]] Choice choice() const;
  // Whether there is anything to do at all; if not, either Espalier or the MPI may make the call.
  [[nodiscard]] bool moves_something() const;
  // Must the call run on an algorithm of ours, if it blocks? A nonblocking or persistent one may, too, or not.
  [[nodiscard]] bool is_ours() const;

 private:
  [[nodiscard]] bool has(Holder holder) const;
  [[nodiscard]] Held held(BufferPart part) const;
  [[nodiscard]] Side unit(int who) const;
  [[nodiscard]] bool wants_in_place() const;
  [[nodiscard]] bool may_be_in_place() const;
  [[nodiscard]] bool is_one_message() const { return contract_.division == Division::by_algorithm; }
  // The distance from the root.
  [[nodiscard]] int place() const;
  [[nodiscard]] int units_of_all() const;

  const Case& case_;
  const Contract& contract_;
  const Group& group_;
  const Operand* operand_ = nullptr;
  const Layout* layout_ = nullptr;
  int root_ = 0;
  bool is_in_place_ = false;
};

}  // namespace espalier::apps
