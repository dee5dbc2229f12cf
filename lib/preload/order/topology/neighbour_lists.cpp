#include "order/topology/neighbour_lists.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "comm/private_comm.hpp"
#include "order/topology/whereabouts.hpp"
#include "record/call_context.hpp"

namespace kith::runtime {
namespace {

constexpr int tag_sizes = 1;
constexpr int tag_numbers = 2;

bool is_weighted(const Neighbours& list) {
  return list.weights != MPI_UNWEIGHTED;
}

void append(const Neighbours& list, std::vector<int>& numbers) {
  if (list.count == 0) return;
  numbers.insert(numbers.end(), list.ranks, list.ranks + list.count);
  if (is_weighted(list)) {
    numbers.insert(numbers.end(), list.weights, list.weights + list.count);
  }
}

}  // namespace

Neighbours NeighbourLists::view(const List& list) {
  const int* const weights =
      list.is_weighted ? list.numbers.data() + list.count : static_cast<const int*>(MPI_UNWEIGHTED);
  return {list.count, list.numbers.data(), weights};
}

std::optional<NeighbourLists> NeighbourLists::exchanged(MPI_Comm reordered,
                                                        const std::vector<std::int32_t>& new_ranks,
                                                        const Neighbours& in,
                                                        const Neighbours& out) {
  const record::OwnCalls own;
  const ErrorsReturned guard(reordered);
  int vertex = 0;
  PMPI_Comm_rank(reordered, &vertex);
  const int taken_over = new_ranks[static_cast<std::size_t>(vertex)];
  const auto heir = static_cast<int>(std::ranges::find(new_ranks, vertex) - new_ranks.begin());

  const std::array<int, 4> given{in.count, is_weighted(in), out.count, is_weighted(out)};
  std::array<int, 4> got{};
  check_mpi(PMPI_Sendrecv(given.data(), 4, MPI_INT, heir, tag_sizes, got.data(), 4, MPI_INT,
                          taken_over, tag_sizes, reordered, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  NeighbourLists lists;
  std::vector<int> numbers;
  std::vector<int> received;
  bool has_room = true;
  const auto size = [](int count, int weighted) {
    return static_cast<std::size_t>(count) * (weighted != 0 ? 2 : 1);
  };
  const std::size_t in_size = size(got[0], got[1]);
  try {
    append(in, numbers);
    append(out, numbers);
    received.resize(in_size + size(got[2], got[3]));
    lists.in_ = {got[1] != 0, got[0], std::vector<int>(in_size + 1)};
    lists.out_ = {got[3] != 0, got[2], std::vector<int>(received.size() - in_size + 1)};
  } catch (const std::bad_alloc&) {
    has_room = false;
  }
  std::array<std::uint64_t, 1> all_have_room{has_room ? 1U : 0U};
  agree_on_least(reordered, all_have_room);
  if (all_have_room[0] == 0) return std::nullopt;
  check_mpi(PMPI_Sendrecv(numbers.data(), static_cast<int>(numbers.size()), MPI_INT, heir,
                          tag_numbers, received.data(), static_cast<int>(received.size()), MPI_INT,
                          taken_over, tag_numbers, reordered, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  const auto end_of_in = received.begin() + static_cast<std::ptrdiff_t>(in_size);
  std::copy(received.begin(), end_of_in, lists.in_.numbers.begin());
  std::copy(end_of_in, received.end(), lists.out_.numbers.begin());
  return lists;
}

}  // namespace kith::runtime
