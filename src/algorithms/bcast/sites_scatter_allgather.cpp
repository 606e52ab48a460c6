// SPDX-License-Identifier: Apache-2.0
//    first site:   0 -> 2..3, 0 -> 1, 2 -> 3   a scatter down a binomial tree, an allgather round a ring
//                  |    |    |    |            each rank's block crosses the WAN once, as soon as it is there
//    next site:    4 -> 5 -> 6 -> 7 -> 4       an allgather round a ring, and on to the site after it
#include "algorithms/algorithm.hpp"
#include "algorithms/scatter_allgather_flows.hpp"
#include "algorithms/shapes/node_tree.hpp"
#include "algorithms/shapes/site_trees.hpp"

namespace espalier {

namespace {

using SiteRanks = std::vector<Rank>;

// Where the rank that speaks for a node stands.
struct SitePlace {
  std::size_t site = 0;
  Rank number = 0;
};

// What crosses the WAN between this place and one of another site.
struct Crossing {
  Rank other = no_rank;
  Range blocks;
};

class SiteScatter {
 public:
  explicit SiteScatter(Builder& b) : b_(b), sites_(sites_from(b.shape(), b.root())) {
    b.cut(blocks());
    const Network* const network = b.shape().network;
    leader_ = network == nullptr ? b.rank() : leader_of(*network, network->node_of(b.rank()), b.root());
    at_ = place_of(leader_);
  }

  void build() {
    if (b_.rank() != leader_) {
      for (const Range& range : ranges()) b_.output(b_.recv(leader_, range));
      return;
    }
    const Bundle all = at_.site == 0 ? from_root() : from_site_before();
    for (const Rank rank : others_on_node()) {
      for (const Stream& stream : all) b_.send(rank, stream);
    }
    for (const Stream& stream : all) b_.output(stream);
  }

 private:
  [[nodiscard]] int blocks() const { return static_cast<int>(sites_[0].size()); }
  [[nodiscard]] const SiteRanks& site() const { return sites_[at_.site]; }

  [[nodiscard]] SitePlace place_of(Rank leader) const {
    SitePlace at;
    while (std::ranges::count(sites_[at.site], leader) == 0) ++at.site;
    at.number = static_cast<Rank>(std::ranges::find(sites_[at.site], leader) - sites_[at.site].begin());
    return at;
  }

  [[nodiscard]] std::vector<Rank> others_on_node() const {
    std::vector<Rank> others;
    const Network* const network = b_.shape().network;
    if (network == nullptr) return others;
    for (const Rank rank : network->ranks_on(network->node_of(leader_))) {
      if (rank != leader_) others.push_back(rank);
    }
    return others;
  }

  // With which a place of a site begins the allgather, and which it passes on to the next site.
  [[nodiscard]] Range share(const SiteRanks& site, std::size_t number) const {
    const int begin = static_cast<int>(number * sites_[0].size() / site.size());
    const int end = static_cast<int>((number + 1) * sites_[0].size() / site.size());
    return {begin, end - begin};
  }
  [[nodiscard]] Range share() const { return share(site(), at_.number); }

  [[nodiscard]] std::vector<Crossing> crossings(const SiteRanks& to) const {
    std::vector<Crossing> found;
    for (std::size_t k = 0; k < to.size(); ++k) {
      const Range both = overlap(share(), share(to, k));
      if (both.count > 0) found.push_back({to[k], both});
    }
    return found;
  }

  [[nodiscard]] static Range overlap(const Range& one, const Range& other) {
    const int begin = std::max(one.first, other.first);
    return {begin, std::max(0, std::min(one.first + one.count, other.first + other.count) - begin)};
  }

  // All blocks, in the streams in which they come to this place.
  [[nodiscard]] std::vector<Range> ranges() const {
    const auto places = static_cast<Rank>(site().size());
    if (at_.site == 0) return {subtree(at_.number, places), lacking(at_.number, places)};
    std::vector<Range> found;
    for (const Crossing& one : crossings(sites_[at_.site - 1])) found.push_back(one.blocks);
    if (places > 1) found.push_back(round_the_ring());
    return found;
  }

  [[nodiscard]] Range round_the_ring() const {
    return {wrap(std::int64_t{share().first} - 1, blocks()), blocks() - share().count, -1};
  }

  [[nodiscard]] Bundle from_root() {
    const auto places = static_cast<Rank>(site().size());
    const auto rank_at = [this](Rank place) { return site()[place]; };
    const Stream part = scatter_down(b_, at_.number, places, rank_at);
    pass_on({part});
    return {part, gather_round(b_, at_.number, places, part, rank_at)};
  }

  [[nodiscard]] Bundle from_site_before() {
    Bundle all;
    for (const Crossing& one : crossings(sites_[at_.site - 1])) all.push_back(b_.recv(one.other, one.blocks));
    pass_on(all);
    if (site().size() > 1) all.push_back(gather_share(all));
    return all;
  }

  void pass_on(const Bundle& mine) {
    if (at_.site + 1 == sites_.size()) return;
    for (const Crossing& one : crossings(sites_[at_.site + 1])) {
      for (const Stream& stream : mine) {
        const Range both = overlap(stream.labels, one.blocks);
        if (both.count > 0) b_.send(one.other, stream.at(both));
      }
    }
  }

  // Each sends its share, the last block first, and then what comes from the left, as far as the right one lacks it.
  [[nodiscard]] Stream gather_share(const Bundle& mine) {
    const std::size_t places = site().size(), me = at_.number, right = (me + 1) % places;
    const Stream others = b_.recv(site()[(me + places - 1) % places], round_the_ring());
    for (auto stream = mine.rbegin(); stream != mine.rend(); ++stream) {
      const Range& labels = stream->labels;
      b_.send(site()[right], stream->at({labels.first + labels.count - 1, labels.count, -1}));
    }
    b_.send(site()[right], others.part(0, others.blocks() - share(site(), right).count));
    return others;
  }

  Builder& b_;
  std::vector<SiteRanks> sites_;
  Rank leader_ = 0;
  SitePlace at_;
};

void build(Builder& b) { SiteScatter(b).build(); }

}  // namespace

extern const Algorithm bcast_sites_scatter_allgather{
    .name = "sites_scatter_allgather",
    .collective = Collective::bcast,
    .description = "a scatter in the root's site; each block crosses to the next site once; an allgather in each site",
    .source =
        "Matsuda et al.: Efficient MPI collective operations for clusters in long-and-fast networks, 2006 (van de "
        "Geijn's, for grids: paper 2, section 8)",
    .differs_by_network = true,
    .build = build,
};

}  // namespace espalier
