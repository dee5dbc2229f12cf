#include "runtime/traffic_gather.hpp"

#include <algorithm>
#include <new>

namespace kith::runtime {
namespace {

void pack_row(Packer& packer, const record::Row& row) {
  for (const record::Cells* const cells : {&row.sent, &row.fetched}) {
    packer.put<std::uint64_t>(cells->size());
    for (const record::RowCell& cell : *cells) {
      packer.put(cell.peer);
      packer.put(cell.messages);
      for (const std::uint64_t bytes : cell.bytes) packer.put(bytes);
    }
  }
}

record::Row unpack_row(Unpacker& unpacker) {
  record::Row row;
  for (record::Cells* const cells : {&row.sent, &row.fetched}) {
    cells->resize(unpacker.get<std::uint64_t>());
    for (record::RowCell& cell : *cells) {
      cell.peer = unpacker.get<std::uint32_t>();
      cell.messages = unpacker.get<std::uint64_t>();
      for (std::uint64_t& bytes : cell.bytes) bytes = unpacker.get<std::uint64_t>();
    }
  }
  return row;
}

// What a rank fetched was sent by its peer: the cell moves to the peer's row.
void hand_over_fetched(std::vector<record::Row*> rows) {
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    const record::Cells fetched = std::move(rows[rank]->fetched);
    rows[rank]->fetched.clear();
    for (record::RowCell cell : fetched) {
      record::Cells& owner = rows.at(cell.peer)->sent;
      cell.peer = static_cast<std::uint32_t>(rank);
      record::add_to(owner, {cell});
    }
  }
}

std::string pack(int program_rank, const RankTraffic& traffic) {
  Packer packer;
  packer.put<std::int32_t>(program_rank);
  pack_row(packer, traffic.total);
  packer.put<std::uint64_t>(traffic.phases.size());
  for (const Phase& phase : traffic.phases) {
    packer.put_text(phase.name);
    pack_row(packer, phase.row);
  }
  return packer.take();
}

}  // namespace

std::vector<RankTraffic> gather_traffic(Team& team, int program_rank, const RankTraffic& own) {
  std::string packed_own;
  try {
    packed_own = pack(program_rank, own);
  } catch (const std::bad_alloc&) {
    // Takes part all the same; the root finds the message too short.
  }
  std::vector<std::string> all = team.gather(std::move(packed_own));
  std::vector<RankTraffic> by_rank(all.size());
  for (std::string& packed : all) {
    Unpacker unpacker(packed);
    RankTraffic& traffic = by_rank.at(static_cast<std::size_t>(unpacker.get<std::int32_t>()));
    traffic.total = unpack_row(unpacker);
    traffic.phases.resize(unpacker.get<std::uint64_t>());
    for (Phase& phase : traffic.phases) {
      phase.name = unpacker.get_text();
      phase.row = unpack_row(unpacker);
    }
    std::string().swap(packed);  // memory at the root counts
  }
  std::size_t phases = 0;
  for (const RankTraffic& traffic : by_rank) phases = std::max(phases, traffic.phases.size());
  const auto hand_over = [&](auto row_of) {
    std::vector<record::Row*> rows;
    for (RankTraffic& traffic : by_rank) rows.push_back(row_of(traffic));
    hand_over_fetched(std::move(rows));
  };
  hand_over([](RankTraffic& traffic) { return &traffic.total; });
  for (std::size_t k = 0; k < phases; ++k) {
    hand_over([k](RankTraffic& traffic) { return &traffic.phases.at(k).row; });
  }
  return by_rank;
}

}  // namespace kith::runtime
