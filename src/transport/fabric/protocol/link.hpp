// SPDX-License-Identifier: Apache-2.0
// A connection to one other process over one lane, for one epoch: an endpoint of its own, so that to close it fences
// off whatever the other one has still under way to it, and nothing else. Here is what is known of it and what it has
// under way; what derives from it does the network's part. A user of it holds the fabric's lock.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <utility>

#include "transport/fabric/protocol/lane_load.hpp"
#include "transport/fabric/protocol/pulse.hpp"
#include "transport/fabric/protocol/streams.hpp"
#include "transport/fabric/protocol/work.hpp"
#include "transport/fabric/wire/distance.hpp"

namespace espalier {

class Link;

struct Write : Work {
  Link* link = nullptr;
  Outlet* outlet = nullptr;  // null: free
  FabricPiece piece;
};

struct RecordMessage : Work {
  Link* link = nullptr;
  bool is_under_way = false;
  SealedRecords sealed;
};

// Of one epoch: what goes to the other process, and what arrives from there.
struct Seals {
  Seal out, in;
};

class Link {
 public:
  Link(LaneLoad& lane, Peer& peer, const EndpointName& name, std::size_t max_bytes_under_way);
  virtual ~Link() = default;
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;

  [[nodiscard]] const LaneLoad& lane() const { return lane_; }
  [[nodiscard]] Peer& peer() const { return peer_; }
  [[nodiscard]] const EndpointName& name() const { return name_; }
  [[nodiscard]] const EndpointName& remote_name() const { return remote_.name; }

  // Where the other end is. False: the network does not take it.
  [[nodiscard]] bool connect(const Handshake::Endpoint& remote);

  // It is ready for more: what is under way keeps it busy for a while, and what waits elsewhere may take another link,
  // unless its path names this NIC alone.
  [[nodiscard]] bool has_room(Path path) const {
    return writes_left_ > 0 && (bytes_under_way_ < max_bytes_under_way_ || names_one_nic(path));
  }
  // Until this many more bytes would have left its NIC, others that are sent something by it, in the measure of the
  // NICs' rates; and of those of one NIC, the one with the least to do.
  struct LinkTime {
    double of_nic;
    std::size_t under_way;
    friend auto operator<=>(const LinkTime&, const LinkTime&) = default;
  };
  [[nodiscard]] LinkTime time_for(std::size_t bytes) const {
    return {static_cast<double>(lane_.bytes_under_way() + bytes) / lane_.rate(), bytes_under_way_};
  }
  // False: not now.
  [[nodiscard]] bool write(Outlet& outlet, const Granted& to, const FabricPiece& piece);
  void finish(Write& write);
  // Of a link that was closed: what becomes of it is for others to say.
  void forget(Write& write);

  // For the first link of an epoch.
  void expect_records(const Seals& seals);
  void receive(RecordMessage& message) { post_receive(message); }
  // What has arrived, in this many bytes: none if it is not the other process's, or not its turn.
  [[nodiscard]] std::span<const FabricRecord> open(RecordMessage& received, std::size_t bytes);
  // One that the other process has sent went elsewhere.
  [[nodiscard]] bool has_lost_records() const { return has_lost_records_; }
  // How many of them it took.
  [[nodiscard]] std::size_t send(std::span<const FabricRecord> records);
  void finish(RecordMessage& sent);

  [[nodiscard]] bool is_open() const { return is_open_; }
  // Nothing arrives by it from now on. What was under way is dropped; the network may still say so.
  void close();
  // Writes that are not known to have arrived.
  [[nodiscard]] std::span<Write> writes() { return writes_; }

  // For anyone who watches it: something is under way, and whether anything has ended since it was asked.
  [[nodiscard]] bool is_waiting() const { return under_way_ > 0 || was_refused_; }
  // The network did not take the last thing that it was given: there is no connection.
  [[nodiscard]] bool was_refused() const { return was_refused_; }
  // Something else is wrong.
  [[nodiscard]] bool is_broken() const { return is_broken_; }
  [[nodiscard]] bool has_moved() { return std::exchange(has_moved_, false); }

  // Asked of the system, which takes a while: whether its other end answers, and whether anything can leave by its NIC.
  [[nodiscard]] virtual Pulse pulse() const = 0;
  [[nodiscard]] virtual bool has_carrier() const = 0;
  // Ends the connections that have arrived at it. True if there was one: then the network has to be asked what has
  // arrived, and this again.
  [[nodiscard]] virtual bool end_connections() = 0;

 protected:
  enum class PostResult : std::uint8_t { taken, refused, failed };  // refused: there is no connection, or no room
  // Where a piece goes, and what is said along with it.
  struct WriteTarget {
    std::uint64_t address, key, immediate;
  };

  [[nodiscard]] virtual bool join(const EndpointName& remote) = 0;
  [[nodiscard]] virtual PostResult post_write(Write& write, const FabricRun& run, const FabricPiece& piece,
                                              const WriteTarget& target) = 0;
  [[nodiscard]] virtual PostResult post_send(RecordMessage& message, std::size_t bytes) = 0;
  virtual void post_receive(RecordMessage& message) = 0;
  // All messages of records are in that memory.
  virtual void note_message_memory(void* memory, std::size_t bytes) = 0;
  // The first thing was taken: so there is a connection, and nobody else may arrive.
  virtual void admit_no_more() = 0;
  virtual void close_endpoint() = 0;

 private:
  static constexpr std::size_t record_messages = 8;

  [[nodiscard]] bool note_result(PostResult result);
  void note_end() {
    --under_way_;
    has_moved_ = true;
  }

  LaneLoad& lane_;
  Peer& peer_;
  const EndpointName name_;
  Handshake::Endpoint remote_;
  const std::size_t max_bytes_under_way_;
  std::size_t writes_left_ = max_writes_under_way, bytes_under_way_ = 0, under_way_ = 0;
  bool is_open_ = true, has_moved_ = false, was_refused_ = false, is_broken_ = false, is_connected_ = false,
       has_lost_records_ = false;
  std::array<Write, max_writes_under_way> writes_;

  struct Records {
    explicit Records(const Seals& its_seals) : seals(its_seals) {}
    const Seals seals;
    std::uint64_t next_sent = 0, next_received = 0;
    std::array<RecordMessage, record_messages> sent, received;
  };
  std::unique_ptr<Records> records_;
};

}  // namespace espalier
