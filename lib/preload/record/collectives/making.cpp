// Making a communicator: its members agree on an identifier, by small collectives on the old one.
#include "record/collectives/collectives.hpp"
#include "record/collectives/emitter.hpp"

namespace kith::record {
namespace {

constexpr std::uint64_t int_bytes = 4;

}  // namespace

void communicator_made(MPI_Comm from) {
  const auto member = member_of(from);
  if (!member || member->inter || member->place.size < 2) return;
  const CollectiveOn on(from);
  Emitter emitter(*member, on, CallClass::coll);
  auto send = [&](int peer, std::uint64_t bytes) { emitter.to_peer(peer, bytes); };
  for (int i = 0; i < agreements_to_make_communicator(); ++i) {
    within_group(Timing::nonblocking).allreduce(member->place, {1, int_bytes}, {}, send);
  }
}

void communicator_split(MPI_Comm from) {
  const auto member = member_of(from);
  if (!member || member->inter || member->place.size < 2) return;
  if (agreements_to_make_communicator() == 0) return;
  const CollectiveOn on(from);
  Emitter emitter(*member, on, CallClass::coll);
  auto send = [&](int peer, std::uint64_t bytes) { emitter.to_peer(peer, bytes); };
  const Payload colour_and_key{2, int_bytes};
  within_group(Timing::blocking)
      .allgather(member->place, colour_and_key.bytes(), colour_and_key, send);
  communicator_made(from);
}

}  // namespace kith::record
