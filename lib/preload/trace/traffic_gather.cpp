#include "trace/traffic_gather.hpp"

#include <new>
#include <stdexcept>

#include "record/row.hpp"
#include "trace/section_merge.hpp"

namespace kith::preload {
namespace {

// What a member sends that lacks memory for its part: the root finds it missing.
const std::string missing;

// This rank's sections, with what others fetched from it; empty when memory was short.
std::string own_part(PrivateComm& private_comm, const TraceStream& stream, RankTraffic own) {
  RankSections divided;
  bool complete = true;
  try {
    divided = divide(std::move(own), stream.phases);
  } catch (const std::exception&) {
    complete = false;
  }
  std::vector<record::Row*> rows;
  for (SectionRow& section : divided.sections) rows.push_back(&section.row);
  complete = hand_over_fetched(private_comm, stream.rank, stream.member_of, rows) && complete;
  if (!complete) return missing;
  try {
    return pack_rank(stream.rank, divided);
  } catch (const std::bad_alloc&) {
    return missing;
  }
}

/// What a leader holds, and whether all of it could be kept.
struct Holdings {
  HostRows rows;
  bool complete = true;

  void add(std::optional<std::string> packed) {
    if (!packed) {
      complete = false;
      return;
    }
    try {
      rows.add(std::move(*packed));
    } catch (const std::exception&) {
      complete = false;
    }
  }

  std::string announce(std::size_t section) const {
    if (!complete) return missing;
    try {
      return pack_announcement(rows.announce(section));
    } catch (const std::exception&) {
      return missing;
    }
  }

  std::string batch(std::size_t section, RankRange ranks) const {
    try {
      return rows.batch(section, ranks);
    } catch (const std::bad_alloc&) {
      return missing;
    }
  }
};

/// The leaders as the root sees them.
class Leaders : public RowHolders {
 public:
  Leaders(PrivateComm& private_comm, const Holdings& own)
      : private_comm_(private_comm), own_(own) {}

  std::size_t count() const override { return static_cast<std::size_t>(private_comm_.hosts()); }

  std::string announcement(std::size_t holder, std::size_t section) override {
    return holder == 0 ? own_.announce(section) : receive(holder);
  }
  void tell(std::size_t, const BatchPlan& plan) override {
    private_comm_.broadcast_to_leaders(pack_plan(plan));
  }
  std::string batch(std::size_t holder, std::size_t section, RankRange ranks) override {
    return holder == 0 ? own_.batch(section, ranks) : receive(holder);
  }

 private:
  std::string receive(std::size_t holder) {
    return private_comm_.receive_from_leader(static_cast<int>(holder)).value_or(missing);
  }

  PrivateComm& private_comm_;
  const Holdings& own_;
};

void serve(PrivateComm& private_comm, const Holdings& own, std::size_t sections) {
  for (std::size_t section = 0; section < sections; ++section) {
    private_comm.send_to_root(own.announce(section));
    const BatchPlan plan = unpack_plan(private_comm.broadcast_to_leaders({}));
    for (const RankRange& batch : plan) {
      if (own.rows.has_any(batch)) private_comm.send_to_root(own.batch(section, batch));
    }
  }
}

}  // namespace

std::vector<record::Cells> gather_rows(PrivateComm& private_comm, record::Row own) {
  const auto same = [](std::uint32_t rank) { return static_cast<int>(rank); };
  Packer packer;
  if (hand_over_fetched(private_comm, static_cast<std::uint32_t>(private_comm.rank()), same,
                        {&own})) {
    try {
      record::pack_cells(packer, own.sent);
    } catch (const std::bad_alloc&) {
      packer = {};  // takes part all the same; the root finds the message too short
    }
  }
  std::vector<std::string> all = private_comm.gather(packer.take());
  std::vector<record::Cells> rows(all.size());
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    Unpacker unpacker(all[rank]);
    rows[rank] = record::unpack_cells(unpacker);
    std::string().swap(all[rank]);  // memory at the root counts
  }
  return rows;
}

void stream_traffic(PrivateComm& private_comm, const TraceStream& stream, RankTraffic own,
                    SectionWriter* writer) {
  const std::size_t sections = 1 + stream.phases.size();
  const bool leads = private_comm.leads_host();
  Holdings holdings;
  for (auto& part : private_comm.gather_on_host(own_part(private_comm, stream, std::move(own)))) {
    holdings.add(std::move(part));
  }
  if (!leads) return;
  if (!private_comm.is_root()) {
    serve(private_comm, holdings, sections);
    return;
  }
  Leaders leaders(private_comm, holdings);
  merge_sections(leaders, *writer, static_cast<std::uint32_t>(private_comm.size()), sections);
}

}  // namespace kith::preload
