// The rows of all ranks, brought to the root: all at once, or streamed into a trace.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "comm/private_comm.hpp"
#include "record/row.hpp"
#include "trace/host_rows.hpp"
#include "trace/section_writer.hpp"

namespace kith::preload {

// What a rank fetched was sent by its peer: the cell moves to the peer's row.

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

/// Collective over `private_comm`, whose members are the ranks of the rows: on the root
/// what every rank sent, by rank; elsewhere empty. Throws on the root when memory is short, and
/// MpiFailure.
std::vector<record::Cells> gather_rows(PrivateComm& private_comm, record::Row own);

/// What stream_traffic() has to know.
struct TraceStream {
  std::uint32_t rank;               ///< of this process, as the program sees it
  MemberOf member_of;               ///< the member of the private communicator that is a rank
  std::vector<std::string> phases;  ///< of the job, on every member
};

/// Collective over `private_comm`. On the root every rank's part of the trace goes to
/// `writer` in rank order, in bounded memory: host leaders hold the rows, packed, and send them in
/// batches when the root is ready. Trouble on any rank ends in writer->fail(). Elsewhere `writer`
/// is null.
void stream_traffic(PrivateComm& private_comm, const TraceStream& stream, RankTraffic own,
                    SectionWriter* writer);

}  // namespace kith::preload
