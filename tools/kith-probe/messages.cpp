#include "kith-probe/messages.hpp"

#include <chrono>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace kith::probe {
namespace {

/// Answers within a tenth of a millisecond at first, then a look every millisecond.
void wait_quietly(int source, int tag) {
  using std::chrono::microseconds;
  constexpr int impatient = 100;
  int there = 0;
  for (int looks = 0; there == 0; ++looks) {
    MPI_Iprobe(source, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (there == 0) std::this_thread::sleep_for(microseconds(looks < impatient ? 100 : 1000));
  }
}

}  // namespace

void send_order(const Order& order, int rank) {
  MPI_Send(&order, sizeof order, MPI_BYTE, rank, tag_order, MPI_COMM_WORLD);
}

void send_result(const Result& result) {
  MPI_Send(&result, sizeof result, MPI_BYTE, 0, tag_result, MPI_COMM_WORLD);
}

Order wait_for_order() {
  wait_quietly(0, tag_order);
  Order order;
  MPI_Recv(&order, sizeof order, MPI_BYTE, 0, tag_order, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return order;
}

Result wait_for_result(int rank) {
  wait_quietly(rank, tag_result);
  Result result;
  MPI_Recv(&result, sizeof result, MPI_BYTE, rank, tag_result, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return result;
}

std::vector<std::string> gather_texts(std::string_view text) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int size = static_cast<int>(text.size());
  std::vector<int> sizes(rank == 0 ? static_cast<std::size_t>(ranks) : 0);
  MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  const auto all = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  if (all > std::numeric_limits<int>::max()) {
    throw std::length_error("the hosts have more to tell than one message can hold");
  }
  std::vector<int> begins(sizes.size());
  std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
  std::string whole(static_cast<std::size_t>(all), '\0');
  MPI_Gatherv(text.data(), size, MPI_CHAR, whole.data(), sizes.data(), begins.data(), MPI_CHAR, 0,
              MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    texts.push_back(
        whole.substr(static_cast<std::size_t>(begins[i]), static_cast<std::size_t>(sizes[i])));
  }
  return texts;
}

}  // namespace kith::probe
