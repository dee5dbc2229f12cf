#include "trace/cartesian.hpp"

#include <string>
#include <vector>

#include "protocol/packer.hpp"
#include "record/cartesian.hpp"

namespace kith::runtime {
namespace {

struct Seat {
  std::uint32_t place;
  std::uint32_t rank;
};

std::string packed(const auto& value) {
  Packer packer;
  packer.put(value);
  return packer.take();
}

CartesianTopology to_topology(const record::CartesianShape& shape) {
  CartesianTopology topology;
  for (std::size_t d = 0; d < static_cast<std::size_t>(shape.dimensions); ++d) {
    topology.dims.push_back(static_cast<std::uint32_t>(shape.extents[d]));
    topology.periods.push_back(shape.periodic[d] != 0);
  }
  return topology;
}

/// The rank at each place; empty where not every place has one.
std::vector<std::uint32_t> seated(const std::vector<std::string>& seats) {
  constexpr std::uint32_t no_rank = UINT32_MAX;
  std::vector<std::uint32_t> ranks(seats.size(), no_rank);
  for (const std::string& bytes : seats) {
    const Seat seat = Unpacker(bytes).get<Seat>();
    if (seat.place >= ranks.size() || ranks[seat.place] != no_rank) return {};
    ranks[seat.place] = seat.rank;
  }
  return ranks;
}

}  // namespace

std::optional<CartesianTopology> agree_on_cartesian(PrivateComm& private_comm,
                                                    std::uint32_t program_rank) {
  const record::CartesianMembership* const own = record::first_cartesian();
  const std::string own_shape = own == nullptr ? std::string() : packed(own->shape);
  const std::string shape = private_comm.broadcast(own_shape);
  if (shape.empty() || !private_comm.all_agree(own_shape == shape)) return std::nullopt;
  auto topology = to_topology(own->shape);
  const auto place = static_cast<std::uint32_t>(own->rank);
  if (private_comm.all_agree(place == program_rank)) return topology;
  const std::vector<std::string> seats = private_comm.gather(packed(Seat{place, program_rank}));
  if (!private_comm.is_root()) return topology;
  topology.ranks = seated(seats);
  if (topology.ranks.empty()) return std::nullopt;
  return topology;
}

}  // namespace kith::runtime
