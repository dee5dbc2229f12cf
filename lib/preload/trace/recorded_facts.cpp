#include "trace/recorded_facts.hpp"

#include <string>
#include <vector>

#include "core/log.hpp"
#include "protocol/packer.hpp"
#include "record/pml/exact.hpp"
#include "record/record.hpp"

namespace kith::preload {
namespace {

struct RankAtPlace {
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
std::vector<std::uint32_t> ranks_by_place(const std::vector<std::string>& places) {
  constexpr std::uint32_t no_rank = UINT32_MAX;
  std::vector<std::uint32_t> ranks(places.size(), no_rank);
  for (const std::string& bytes : places) {
    const RankAtPlace one = Unpacker(bytes).get<RankAtPlace>();
    if (one.place >= ranks.size() || ranks[one.place] != no_rank) return {};
    ranks[one.place] = one.rank;
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
  const std::vector<std::string> places =
      private_comm.gather(packed(RankAtPlace{place, program_rank}));
  if (!private_comm.is_root()) return topology;
  topology.ranks = ranks_by_place(places);
  if (topology.ranks.empty()) return std::nullopt;
  return topology;
}

namespace {

bool may_be_exact(CollectiveSource wanted) {
  return wanted == CollectiveSource::best || wanted == CollectiveSource::exact;
}

std::string first_reason(PrivateComm& private_comm, const std::string& own) {
  for (const std::string& reason : private_comm.gather(own)) {
    if (!reason.empty()) return reason;
  }
  return {};
}

}  // namespace

void prepare_collective_source(const Settings& settings) {
  if (may_be_exact(settings.collectives)) record::prepare_exact(settings.exact_by_monitoring);
}

std::string install_exact_counting(CollectiveSource wanted) {
  return may_be_exact(wanted) ? record::install_exact() : std::string();
}

record::Collectives agreed_collectives(PrivateComm& private_comm, CollectiveSource wanted,
                                       const std::string& problem, bool all_could) {
  if (wanted == CollectiveSource::off) return record::Collectives::off;
  if (!may_be_exact(wanted)) return record::Collectives::model;
  if (all_could) return record::Collectives::exact;
  if (problem.empty()) record::remove_exact();
  const std::string reason = first_reason(private_comm, problem);
  if (private_comm.is_root() && wanted == CollectiveSource::exact) {
    log_line("collectives are modelled, not counted exactly: " + reason);
  }
  return record::Collectives::model;
}

std::string collective_source_used(PrivateComm& private_comm, record::Collectives collectives) {
  switch (collectives) {
    case record::Collectives::off:
      return "off";
    case record::Collectives::model:
      return "model";
    case record::Collectives::exact:
      return private_comm.all_agree(!record::some_not_exact()) ? "exact" : "mixed";
  }
  return "off";
}

}  // namespace kith::preload
