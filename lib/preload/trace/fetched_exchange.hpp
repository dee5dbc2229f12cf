// What a rank fetched was sent by its peer: the cell moves to the peer's row.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "comm/private_comm.hpp"
#include "record/row.hpp"

namespace kith::runtime {

/// The member of a private communicator that is a rank of the rows.
using MemberOf = std::function<int(std::uint32_t rank)>;

/// Collective over `private_comm`. Moves the `fetched` cells of each row to the `sent`
/// cells of the rank that they came from, in its row of the same index; `rank` is this member's
/// own. Each member talks to those alone with which cells are shared (nonblocking consensus:
/// Hoefler, Siebert, Lumsdaine, "Scalable communication protocols for dynamic sparse data
/// exchange", PPoPP 2010, algorithm 2). False on a member that lacked memory for its part; it takes
/// part all the same.
bool hand_over_fetched(PrivateComm& private_comm, std::uint32_t rank, const MemberOf& member_of,
                       const std::vector<record::Row*>& rows);

}  // namespace kith::runtime
