#include "runtime/traffic_gather.hpp"

#include <new>

namespace kith::runtime {
namespace {

void pack_row(Packer& packer, const record::Row& row) {
  for (const auto& cells : row.cells) {
    packer.put<std::uint64_t>(cells.size());
    for (const record::RowCell& cell : cells) {
      packer.put(cell.peer);
      packer.put(cell.bytes);
      packer.put(cell.messages);
    }
  }
}

record::Row unpack_row(Unpacker& unpacker) {
  record::Row row;
  for (auto& cells : row.cells) {
    cells.resize(unpacker.get<std::uint64_t>());
    for (record::RowCell& cell : cells) {
      cell.peer = unpacker.get<std::uint32_t>();
      cell.bytes = unpacker.get<std::uint64_t>();
      cell.messages = unpacker.get<std::uint64_t>();
    }
  }
  return row;
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
  return by_rank;
}

}  // namespace kith::runtime
