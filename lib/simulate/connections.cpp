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

Simulator::Connection& Simulator::connection_of(std::uint32_t number) {
  const Message& message = job_.messages[number];
  const auto [low, high] =
      std::minmax({process_of_[message.sender], process_of_[message.receiver]});
  return connections_[std::uint64_t{low} << 32U | high];
}

/// Whether the message may go; else it goes when its connection is made, which it opens if it is
/// the first.
bool Simulator::is_connected(std::uint32_t number) {
  const KnownRoute& route = route_of(number);
  if (!route.leaves_host) return true;
  Connection& connection = connection_of(number);
  if (connection.packets == packets) return true;
  connection.held_back.push_back(number);
  if (connection.opener == nobody) {
    connection.opener = number;
    ++being_made_;
    pass_queues(route, 0, Event::Kind::connection_packet_arrives, number);
  }
  return false;
}

void Simulator::connection_packet_arrives(std::uint32_t opener) {
  ++connection_of(opener).packets;
  go_on_connecting(opener);
}

void Simulator::go_on_connecting(std::uint32_t opener) {
  const Message& message = job_.messages[opener];
  Connection& connection = connection_of(opener);
  const bool is_at_sender = connection.packets % 2 == 0;
  const std::uint32_t sender = process_of_[message.sender];
  const std::uint32_t receiver = process_of_[message.receiver];
  if (connection.packets > 1 && is_held_up(opener, is_at_sender ? sender : receiver)) return;
  if (connection.packets < packets) {
    const std::uint32_t route =
        is_at_sender ? find_route(sender, receiver) : find_route(receiver, sender);
    pass_queues(routes_[route], 0, Event::Kind::connection_packet_arrives, opener);
    return;
  }
  --being_made_;
  connection.opener = nobody;
  for (const std::uint32_t held : std::exchange(connection.held_back, {})) send_head_or_all(held);
}

}  // namespace kith::simulate
