#include "trace/traffic_gather.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <optional>
#include <string>

#include "comm/private_comm.hpp"

namespace kith::preload {
namespace {

constexpr int tag_fetched = 3;

// Cells for one peer: which row, and what is added to it.
std::map<std::uint32_t, Packer> pack_by_peer(const std::vector<record::Row*>& rows) {
  std::map<std::uint32_t, Packer> by_peer;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const record::RowCell& cell : rows[i]->fetched) {
      Packer& packer = by_peer[cell.peer];
      packer.put_number(i);
      packer.put_number(cell.messages);
      for (const std::uint64_t bytes : cell.bytes) packer.put_number(bytes);
    }
  }
  return by_peer;
}

// Cells that arrived, by row; each peer sends one message, so that no cell comes twice.
using Arrived = std::vector<record::Cells>;

void take_cells(std::string_view packed, std::uint32_t from, Arrived& arrived) {
  Unpacker unpacker(packed);
  while (!unpacker.done()) {
    record::Cells& cells = arrived.at(unpacker.get_number());
    record::RowCell cell{from, unpacker.get_number(), {}};
    for (std::uint64_t& bytes : cell.bytes) bytes = unpacker.get_number();
    cells.push_back(cell);
  }
}

/// The messages of this member that are on their way. Each begins with the sender's rank.
class Outbox {
 public:
  void add(std::uint32_t rank, std::string_view cells, int to) {
    Packer packer;
    packer.put(rank);
    packer.put_bytes(cells);
    messages_.push_back(packer.take());
    to_.push_back(to);
    requests_.push_back(MPI_REQUEST_NULL);
  }
  void drop() {
    messages_.clear();
    to_.clear();
    requests_.clear();
  }
  void send(MPI_Comm comm) {
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      check_mpi(PMPI_Issend(messages_[i].data(), static_cast<int>(messages_[i].size()), MPI_BYTE,
                            to_[i], tag_fetched, comm, &requests_[i]),
                "MPI_Issend");
    }
  }
  bool all_received() {
    int done = 0;
    check_mpi(PMPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                           MPI_STATUSES_IGNORE),
              "MPI_Testall");
    return done != 0;
  }

 private:
  std::vector<std::string> messages_;
  std::vector<int> to_;
  std::vector<MPI_Request> requests_;
};

// Nothing when no message waits; one for which there is no memory is taken and comes back empty.
std::optional<std::string> receive_one(MPI_Comm comm) {
  int waits = 0;
  MPI_Status status;
  check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, tag_fetched, comm, &waits, &status), "MPI_Iprobe");
  if (waits == 0) return std::nullopt;
  int size = 0;
  PMPI_Get_count(&status, MPI_BYTE, &size);
  std::string message;
  try {
    message.resize(static_cast<std::size_t>(size));
  } catch (const std::bad_alloc&) {
    // No memory: received into an empty buffer, an error here, but the sender can go on.
    PMPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, tag_fetched, comm, MPI_STATUS_IGNORE);
    return message;
  }
  check_mpi(PMPI_Recv(message.data(), size, MPI_BYTE, status.MPI_SOURCE, tag_fetched, comm,
                      MPI_STATUS_IGNORE),
            "MPI_Recv");
  return message;
}

}  // namespace

bool hand_over_fetched(PrivateComm& private_comm, std::uint32_t rank, const MemberOf& member_of,
                       const std::vector<record::Row*>& rows) {
  const bool has_none =
      std::ranges::all_of(rows, [](const auto* row) { return row->fetched.empty(); });
  if (private_comm.all_agree(has_none)) return true;
  bool complete = true;
  const auto guarded = [&](auto&& work) {
    try {
      work();
    } catch (const MpiFailure&) {
      throw;
    } catch (const std::exception&) {
      complete = false;
    }
  };
  Arrived arrived;
  Outbox outbox;
  guarded([&] {
    arrived.resize(rows.size());
    for (auto& [peer, cells] : pack_by_peer(rows)) {
      const std::string packed = cells.take();
      if (peer == rank) {
        take_cells(packed, rank, arrived);
      } else {
        outbox.add(rank, packed, member_of(peer));
      }
    }
  });
  if (!complete) outbox.drop();
  for (record::Row* const row : rows) row->fetched.clear();

  outbox.send(private_comm.comm());
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool in_barrier = false;
  for (BackOff back_off;; back_off.pause()) {
    while (const auto message = receive_one(private_comm.comm())) {
      guarded([&] {
        Unpacker unpacker(*message);
        const auto from = unpacker.get<std::uint32_t>();
        take_cells(unpacker.get_bytes(unpacker.remaining()), from, arrived);
      });
      back_off = {};
    }
    if (in_barrier) {
      int done = 0;
      check_mpi(PMPI_Test(&barrier, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done != 0) break;
    } else if (outbox.all_received()) {
      check_mpi(PMPI_Ibarrier(private_comm.comm(), &barrier), "MPI_Ibarrier");
      in_barrier = true;
    }
  }
  guarded([&] {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::ranges::sort(arrived.at(i), {}, &record::RowCell::peer);
      record::add_to(rows[i]->sent, arrived[i]);
    }
  });
  return complete;
}

}  // namespace kith::preload
