// SPDX-License-Identifier: Apache-2.0
#include "differential/draw.hpp"

#include <algorithm>
#include <random>
#include <span>

#include "algorithms/algorithm.hpp"
#include "differential/quirks.hpp"
#include "differential/task.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

// Numbers of one case, one after the other.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}

  [[nodiscard]] std::uint64_t roll(std::uint64_t sides) { return scramble(seed_, ++rolled_) % sides; }
  [[nodiscard]] bool one_in(std::uint64_t many) { return roll(many) == 0; }
  template <class List>
  [[nodiscard]] const auto& any_of(const List& list) {
    return list[roll(std::size(list))];
  }

 private:
  std::uint64_t seed_, rolled_ = 0;
};

constexpr int small_counts[] = {0, 1, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129};
constexpr int large_counts[] = {255, 256, 257, 511, 1021, 1024, 1025, 2047, 4096, 4097, 8191, 20011};
constexpr int most_elements = 20011;
constexpr int most_between_groups = 65;

constexpr const char* comms[] = {"world",      "copy",      "backwards", "odd_even", "odd_even_copy",
                                 "upper_half", "cartesian", "graph",     "self",     "between"};
constexpr const char* comms_of_all[] = {"world", "copy", "backwards", "cartesian", "graph"};
constexpr const char* finishes[] = {"Wait", "Test", "Waitall", "Waitany", "Waitsome", "Testall", "Testany", "Testsome"};

// Segments that fit neither cache lines nor elements; uncut; many small ones under way.
std::string any_parameters(const Algorithm& algorithm, Dice& dice) {
  if (algorithm.collective == Collective::barrier || dice.one_in(3)) return "";
  constexpr const char* cuts[] = {"", ",segment=1000,window=2", ",segment=0,window=1", ",segment=4KiB,window=7",
                                  ",segment=512"};
  constexpr const char* radices[] = {"", ",radix=3", ",radix=5"};
  return std::string(dice.any_of(cuts)) + (algorithm.takes_radix ? dice.any_of(radices) : "");
}

std::string with_parameters(const std::string& setting, Dice& dice) {
  const std::size_t colon = setting.find(':');
  if (colon == std::string::npos) return setting;
  const auto collective = collective_named(setting.substr(0, colon));
  const Algorithm* const algorithm = find_algorithm(*collective, setting.substr(colon + 1));
  return algorithm == nullptr ? setting : setting + any_parameters(*algorithm, dice);
}

// Where nothing is forced: so many that what is fastest may be sought meanwhile.
int calls_of_a_race(Dice& dice) { return 20 + static_cast<int>(dice.roll(200)); }

// Long messages are as long in all, however many blocks they have.
int any_count(const Contract& contract, const std::string& comm, int world_size, Dice& dice) {
  const int count = dice.one_in(8) ? dice.any_of(large_counts) : dice.any_of(small_counts);
  if (comm == "between") return std::min(count, most_between_groups);
  return contract.division == Division::by_algorithm ? count : std::min(count, most_elements / world_size);
}

InPlaceWish any_wish(const Contract& contract, Dice& dice) {
  const bool may_differ = contract.sources == Sources::up_to_own || contract.sources == Sources::before_own;
  return static_cast<InPlaceWish>(dice.roll(may_differ ? 3 : 2));
}

void draw_data(Case& one, Dice& dice) {
  if (!one.contract().reduces) {
    one.type = dice.any_of(layouts()).name;
    return;
  }
  const Operand& operand = dice.any_of(operands());
  one.type = operand.type_name;
  one.op = operand.op_name;
}

// Groups do not give each other prefixes.
bool is_defined(const Case& one) {
  const Sources sources = one.contract().sources;
  return one.comm != "between" || (sources != Sources::up_to_own && sources != Sources::before_own);
}

std::vector<std::string> algorithms_of(Collective collective) {
  const std::string name(name_of(collective));
  std::vector<std::string> all = {"", name + ":native"};
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective == collective) all.push_back(name + ":" + std::string(algorithm.name));
  }
  return all;
}

}  // namespace

Deck::Deck(std::uint64_t seed, int world_size, bool by_default)
    : seed_(seed), world_size_(world_size), by_default_(by_default) {
  for (const Form& form : callable_forms()) {
    for (const std::string& algorithm : algorithms_of(form.collective())) pairs_.push_back({&form, algorithm});
  }
}

std::vector<std::string> Deck::meetings() const {
  std::vector<std::string> all;
  for (const Pair& pair : pairs_) {
    const std::size_t colon = pair.algorithm.find(':');
    if (colon == std::string::npos || world_size_ == 1) continue;
    const Algorithm* const algorithm = find_algorithm(pair.form->collective(), pair.algorithm.substr(colon + 1));
    if (algorithm == nullptr || !exists_for(*algorithm, {world_size_})) continue;
    if (!pair.form->function.is_uneven || algorithm->takes_uneven)
      all.push_back(pair.form->function.name + (" " + pair.algorithm));
  }
  return all;
}

Batch Deck::draw(std::uint64_t number) const {
  const std::uint64_t seed = scramble(seed_, 1, number);
  Batch batch = {draw_one(pair_at(number), seed, number < size() && !by_default_)};
  if (batch[0].form->kind != Kind::blocking && scramble(seed, 2) % 3 == 0) add_others(batch, seed);
  return batch;
}

const Deck::Pair& Deck::pair_at(std::uint64_t number) const {
  std::vector<std::size_t> order(pairs_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(scramble(seed_, 3, number / size())));
  return pairs_[order[number % size()]];
}

Case Deck::draw_one(const Pair& pair, std::uint64_t seed, bool shall_be_ours) const {
  constexpr std::uint64_t tries = 200;
  Case one;
  for (std::uint64_t attempt = 0; attempt < tries || !is_possible(one, false); ++attempt) {
    Dice dice(scramble(seed, 4, attempt));
    one = {.form = pair.form};
    if (!by_default_) one.algorithm = with_parameters(pair.algorithm, dice);
    one.comm = dice.one_in(3) ? dice.any_of(comms_of_all) : dice.any_of(comms);
    if (one.contract().carries_data) draw_data(one, dice);
    one.count = any_count(one.contract(), one.comm, world_size_, dice);
    one.pattern = one.form->function.is_uneven ? static_cast<Pattern>(dice.roll(4)) : Pattern::equal;
    one.root = one.contract().is_rooted() ? static_cast<int>(dice.roll(static_cast<std::uint64_t>(world_size_))) : 0;
    one.in_place = any_wish(one.contract(), dice);
    one.calls = 1 + static_cast<int>(dice.roll(4));
    if (one.algorithm.empty() && one.form->kind == Kind::blocking && dice.one_in(4)) one.calls = calls_of_a_race(dice);
    one.finish = dice.any_of(finishes);
    one.seed = scramble(seed, 5, attempt) % 1000000;  // by which a case may be impossible, too
    if (is_possible(one, shall_be_ours)) break;
  }
  return one;
}

bool Deck::is_possible(const Case& one, bool shall_be_ours) const {
  if (one.comm == "between" && world_size_ == 1) return false;
  if (!is_defined(one)) return false;
  if (shall_be_ours && !is_ours(one)) return false;
  if (quirk_of(one) == nullptr) return true;
  const bool is_of_all = std::ranges::find(comms_of_all, one.comm) != std::end(comms_of_all);
  return is_of_all && one.form->kind == Kind::blocking && is_ours(one);
}

// On the smallest communicator of that name.
bool Deck::is_ours(const Case& one) const {
  const int ranks = Groups::fewest_ranks(one.comm, world_size_);
  if (one.algorithm.empty() || ranks == 0) return false;
  const Group group{.name = one.comm, .size = ranks};
  return Task(one, group).is_ours();
}

// More requests under way at the same time. What is forced holds for all of them.
void Deck::add_others(Batch& batch, std::uint64_t seed) const {
  Dice dice(scramble(seed, 6));
  const std::size_t others = 1 + dice.roll(4);
  while (batch.size() <= others) {
    const Pair& pair = dice.any_of(pairs_);
    if (pair.form->kind == Kind::blocking) continue;
    Case one = draw_one(pair, scramble(seed, 7, batch.size()), false);
    const auto same =
        std::ranges::find(batch, one.form->collective(), [](const Case& c) { return c.form->collective(); });
    if (same != batch.end()) one.algorithm = same->algorithm;
    one.finish = batch[0].finish;
    if (quirk_of(one) == nullptr) batch.push_back(std::move(one));
  }
}

}  // namespace espalier::apps
