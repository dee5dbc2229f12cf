// What ranks tell each other, and how they wait without disturbing those that measure.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kith::probe {

enum Tag : int { tag_order = 1, tag_result, tag_value, tag_message, tag_last_message };

enum class Task : std::int32_t {
  end,        ///< no more orders
  cost,       ///< latency and the cost of 64 KiB
  bandwidth,  ///< a stream of large messages
};

/// From rank 0 to both ranks of a pair.
struct Order {
  Task task = Task::end;
  std::int32_t peer = 0;
  std::int32_t leads = 0;   ///< 1 for the one that reports to rank 0
  std::int32_t chunk = 0;   ///< bytes of a message of the stream
  std::int32_t chunks = 0;  ///< messages in the stream, whole windows
};

/// What the leading rank of a pair reports; values of both directions in their mean.
struct Result {
  double latency_us = 0;
  double cost = 0;
  double megabytes_per_s = 0;
};

void send_order(const Order& order, int rank);
void send_result(const Result& result);

/// Sleeps while nothing is there, as other ranks measure meanwhile.
Order wait_for_order();
Result wait_for_result(int rank);

/// The texts of all ranks, on rank 0; empty elsewhere.
std::vector<std::string> gather_texts(std::string_view text);

}  // namespace kith::probe
