// How two processes on different hosts come to a connection, before their first message passes.
#include <algorithm>
#include <utility>

#include "simulate/simulator.hpp"

namespace kith::simulate {
namespace {

/// TCP's request and its answer, then the name of the rank that connects and that of the other:
/// so does Open MPI over TCP. The kernel answers the first, the ranks the others, in MPI.
constexpr std::uint8_t packets = 4;

}  // namespace

/// Whether the message may go; else it goes when its connection is made, which it opens if it is
/// the first.
bool Simulator::is_connected(std::uint32_t number) {
  const KnownRoute& route = route_of(number);
  if (!route.leaves_host) return true;
  const std::uint32_t from = process_of_[job_.messages[number].sender];
  const std::uint32_t to = process_of_[job_.messages[number].receiver];
  const auto [low, high] = std::minmax(from, to);
  const auto [found, is_new] = connection_of_.try_emplace(
      std::uint64_t{low} << 32U | high, static_cast<std::uint32_t>(connections_.size()));
  if (is_new) {
    connections_.push_back({from, to, 0, {}});
    pass_queues(route, 0, Event::Kind::connection_packet_arrives, found->second);
  }
  Connection& connection = connections_[found->second];
  if (connection.packets < packets) connection.held_back.push_back(number);
  return connection.packets == packets;
}

/// A packet has come, or the process that has to answer it is in MPI again.
void Simulator::go_on_connecting(std::uint32_t number) {
  Connection& connection = connections_[number];
  const bool is_at_opener = connection.packets % 2 == 0;
  const std::uint32_t here = is_at_opener ? connection.opener : connection.other;
  const std::uint32_t there = is_at_opener ? connection.other : connection.opener;
  const bool is_of_ranks = connection.packets > 1;
  if (is_of_ranks && options_.progress == Progress::in_calls && states_[here].is_computing) {
    states_[here].deferred_connections.push_back(number);
    return;
  }
  if (connection.packets < packets) {
    pass_queues(routes_[find_route(here, there)], 0, Event::Kind::connection_packet_arrives,
                number);
    return;
  }
  for (const std::uint32_t held : std::exchange(connection.held_back, {})) send_head_or_all(held);
}

}  // namespace kith::simulate
