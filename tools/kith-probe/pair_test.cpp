#include "kith-probe/conductor.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <vector>

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

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double at_quantile(std::vector<double> values, double quantile) {
  const auto rank = static_cast<std::ptrdiff_t>(quantile * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

/// Receives one message of the peer's; true for its last one.
bool receive(int peer, std::vector<char>& buffer) {
  MPI_Status status;
  MPI_Recv(buffer.data(), static_cast<int>(buffer.size()), MPI_CHAR, peer, MPI_ANY_TAG,
           MPI_COMM_WORLD, &status);
  return status.MPI_TAG == tag_last_message;
}

/// Seconds.
struct Latency {
  double one_way = 0;
  double send = 0;  ///< of it, that the sender is kept
};

/// Round trips until enough of them are timed.
Latency lead_latency(int peer) {
  constexpr std::size_t unused = 5;  // the first make the connection
  constexpr std::size_t fewest = 20;
  constexpr std::size_t most = 200;
  constexpr double long_enough = 0.02;
  std::vector<char> message(8);
  std::vector<double> trips;
  std::vector<double> sends;
  Clock::time_point begin = Clock::now();
  for (std::size_t trip = 0;; ++trip) {
    if (trip == unused) begin = Clock::now();
    const std::size_t timed = trip < unused ? 0 : trip - unused + 1;
    const bool last = timed >= most || (timed >= fewest && seconds_since(begin) > long_enough);
    const auto start = Clock::now();
    MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, peer,
             last ? tag_last_message : tag_message, MPI_COMM_WORLD);
    const double sent = seconds_since(start);
    receive(peer, message);
    if (timed > 0) {
      trips.push_back(seconds_since(start));
      sends.push_back(sent);
    }
    if (last) return {at_quantile(std::move(trips), 0.1) / 2, at_quantile(std::move(sends), 0.5)};
  }
}

void follow_latency(int peer) {
  std::vector<char> message(8);
  for (bool last = false; !last;) {
    last = receive(peer, message);
    MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, peer, tag_message,
             MPI_COMM_WORLD);
  }
}

constexpr std::size_t cost_bytes = std::size_t{64} << 10;
constexpr std::size_t cost_head = 2;

void send_cost_messages(int peer) {
  constexpr std::size_t fewest = cost_head + 5;
  constexpr std::size_t most = cost_head + 32;
  constexpr double long_enough = 0.04;
  const std::vector<char> message(cost_bytes, 'k');
  const auto begin = Clock::now();
  bool last = false;
  for (std::size_t sent = 1; !last; ++sent) {
    last = sent >= most || (sent >= fewest && seconds_since(begin) > long_enough);
    MPI_Ssend(message.data(), static_cast<int>(message.size()), MPI_CHAR, peer,
              last ? tag_last_message : tag_message, MPI_COMM_WORLD);
  }
}

/// Picoseconds a byte.
double receive_cost_messages(int peer) {
  std::vector<char> message(cost_bytes);
  std::vector<double> times;
  auto before = Clock::now();
  bool last = false;
  for (std::size_t received = 1; !last; ++received) {
    last = receive(peer, message);
    const double took = seconds_since(before);
    before = Clock::now();
    if (received > cost_head) times.push_back(took);
  }
  return at_quantile(std::move(times), 0.25) * 1e12 / static_cast<double>(cost_bytes);
}

constexpr auto window = static_cast<std::size_t>(stream_window);

void send_stream(const Order& order) {
  const auto bytes = static_cast<std::size_t>(order.chunk);
  const std::vector<char> data(window * bytes, 'k');
  std::array<MPI_Request, window> requests;
  requests.fill(MPI_REQUEST_NULL);
  for (int chunk = 0; chunk < order.chunks; ++chunk) {
    const std::size_t slot = static_cast<std::size_t>(chunk) % window;
    MPI_Wait(&requests[slot], MPI_STATUS_IGNORE);
    MPI_Isend(data.data() + slot * bytes, order.chunk, MPI_CHAR, order.peer, tag_message,
              MPI_COMM_WORLD, &requests[slot]);
  }
  MPI_Waitall(static_cast<int>(window), requests.data(), MPI_STATUSES_IGNORE);
}

using Arrivals = std::array<double, most_stream_windows>;

/// When each window of the stream was whole, in seconds of this host's clock.
Arrivals receive_windows(const Order& order) {
  const auto bytes = static_cast<std::size_t>(order.chunk);
  std::vector<char> data(window * bytes);
  std::array<MPI_Request, window> requests;
  const auto post = [&](int chunk) {
    const std::size_t slot = static_cast<std::size_t>(chunk) % window;
    MPI_Irecv(data.data() + slot * bytes, order.chunk, MPI_CHAR, order.peer, tag_message,
              MPI_COMM_WORLD, &requests[slot]);
  };
  for (int chunk = 0; chunk < stream_window; ++chunk) post(chunk);
  Arrivals arrived{};
  for (int chunk = 0; chunk < order.chunks; ++chunk) {
    MPI_Wait(&requests[static_cast<std::size_t>(chunk) % window], MPI_STATUS_IGNORE);
    if ((chunk + 1) % stream_window == 0) {
      arrived[static_cast<std::size_t>(chunk / stream_window)] =
          std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
    }
    if (chunk + stream_window < order.chunks) post(chunk + stream_window);
  }
  return arrived;
}

/// Megabytes a second. The libraries send the messages of a window piece by piece in turn, so that
/// they come nearly together: timed is from one whole window to another one, between which equally
/// much is on the way.
double receive_stream(const Order& order) {
  const int windows = order.chunks / stream_window;
  const Arrivals arrived = receive_windows(order);
  const int head = std::max(1, windows / 4) - 1;
  const int last = windows - 2;
  const double seconds =
      arrived[static_cast<std::size_t>(last)] - arrived[static_cast<std::size_t>(head)];
  return static_cast<double>(last - head) * stream_window * order.chunk / seconds / 1e6;
}

// Bursts: the side that measures asks for messages, each after a pause.

/// Of one message after a pause; the pause is as long as the message at the bandwidth, at least.
constexpr double pause_seconds = 0.05;
constexpr std::int32_t first_burst_message = 48 << 10;  // its bytes need no answer of the receiver
constexpr std::int32_t longest_burst_message = 12 << 20;

void pause_for(std::int32_t bytes, const Order& order) {
  const double seconds = std::max(pause_seconds, 1.5e-6 * bytes / order.megabytes_per_s);
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// The other side's part: a message for each request, until the request is for none.
void send_bursts(const Order& order) {
  while (true) {
    std::int32_t bytes = 0;
    MPI_Recv(&bytes, 1, MPI_INT32_T, order.peer, tag_message, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (bytes == 0) return;
    const std::vector<char> message(static_cast<std::size_t>(bytes), 'k');
    MPI_Send(message.data(), bytes, MPI_CHAR, order.peer, tag_message, MPI_COMM_WORLD);
  }
}

double bytes_ahead(std::int32_t bytes, const Order& order) {
  std::vector<char> message(static_cast<std::size_t>(bytes));
  pause_for(bytes, order);
  const auto begin = Clock::now();
  MPI_Send(&bytes, 1, MPI_INT32_T, order.peer, tag_message, MPI_COMM_WORLD);
  receive(order.peer, message);
  const double seconds = seconds_since(begin) - 2e-6 * order.latency_us;
  return bytes - seconds * 1e6 * order.megabytes_per_s;
}

/// Bytes; 0 where a pause changes nothing.
double receive_bursts(const Order& order) {
  constexpr double latencies = 10;  // what is less may be noise
  constexpr int tries = 3;
  const double least = latencies * order.latency_us * order.megabytes_per_s;
  double found = 0;
  for (std::int32_t bytes = first_burst_message; bytes <= longest_burst_message; bytes *= 4) {
    std::vector<double> ahead;
    for (int i = 0; i < tries; ++i) ahead.push_back(bytes_ahead(bytes, order));
    found = at_quantile(std::move(ahead), 0.5);
    // Else it may have ended before the burst did.
    if (found < 0.75 * bytes) break;
  }
  std::int32_t none = 0;
  MPI_Send(&none, 1, MPI_INT32_T, order.peer, tag_message, MPI_COMM_WORLD);
  return found > least ? found : 0;
}

// The eager limit: the side that leads sends, the other one receives late.

constexpr std::int32_t longest_eager = 1 << 20;

/// How late: twice as long as the socket needs to take the message in.
double late_seconds(std::int32_t bytes, const Order& order) {
  constexpr double least = 0.006;
  return least + 2e-6 * bytes / order.megabytes_per_s;
}

/// Whether the message was gone before its receiver was there.
bool is_eager(std::int32_t bytes, const Order& order) {
  const int peer = order.peer;
  const std::vector<char> message(static_cast<std::size_t>(bytes), 'k');
  MPI_Send(&bytes, 1, MPI_INT32_T, peer, tag_value, MPI_COMM_WORLD);
  // Its answer: from here on it counts.
  std::int32_t ready = 0;
  MPI_Recv(&ready, 1, MPI_INT32_T, peer, tag_value, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const auto begin = Clock::now();
  MPI_Send(message.data(), bytes, MPI_CHAR, peer, tag_message, MPI_COMM_WORLD);
  return seconds_since(begin) < late_seconds(bytes, order) / 2;
}

/// Noise only delays: a message is eager if one of a few was.
bool is_ever_eager(std::int32_t bytes, const Order& order) {
  constexpr int tries = 3;
  for (int i = 0; i < tries; ++i) {
    if (is_eager(bytes, order)) return true;
  }
  return false;
}

double lead_eager(const Order& order) {
  constexpr std::int32_t shortest = 256;
  constexpr std::int32_t close = 8;
  std::int32_t low = 0;
  std::int32_t high = shortest;
  while (high <= longest_eager && is_ever_eager(high, order)) {
    low = high;
    high *= 2;
  }
  const bool is_known = high <= longest_eager;
  while (is_known && high - low > close) {
    const std::int32_t middle = low + (high - low) / 2;
    (is_ever_eager(middle, order) ? low : high) = middle;
  }
  const std::int32_t none = -1;
  MPI_Send(&none, 1, MPI_INT32_T, order.peer, tag_value, MPI_COMM_WORLD);
  return is_known ? low : 0;
}

void follow_eager(const Order& order) {
  const int peer = order.peer;
  std::vector<char> message(longest_eager);
  while (true) {
    std::int32_t bytes = 0;
    MPI_Recv(&bytes, 1, MPI_INT32_T, peer, tag_value, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (bytes < 0) return;
    MPI_Send(&bytes, 1, MPI_INT32_T, peer, tag_value, MPI_COMM_WORLD);
    std::this_thread::sleep_for(std::chrono::duration<double>(late_seconds(bytes, order)));
    MPI_Recv(message.data(), bytes, MPI_CHAR, peer, tag_message, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/// One direction after the other: `send` on one side, `receive` on the other. The mean of both, on
/// the leading side.
template <class Send, class Receive>
double both_directions(const Order& order, Send send, Receive receive_all) {
  double there = 0;
  if (order.leads == 0) {
    there = receive_all();
    MPI_Send(&there, 1, MPI_DOUBLE, order.peer, tag_value, MPI_COMM_WORLD);
    send();
    return there;
  }
  send();
  MPI_Recv(&there, 1, MPI_DOUBLE, order.peer, tag_value, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return (there + receive_all()) / 2;
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

Result run_order(const Order& order) {
  Result result;
  if (order.task == Task::bandwidth) {
    result.megabytes_per_s = both_directions(
        order, [&] { send_stream(order); }, [&] { return receive_stream(order); });
    return result;
  }
  if (order.task == Task::arrivals) {
    if (order.leads == 0) {
      send_stream(order);
    } else {
      result.arrived = receive_windows(order);
    }
    return result;
  }
  if (order.task == Task::burst) {
    result.burst_bytes = both_directions(
        order, [&] { send_bursts(order); }, [&] { return receive_bursts(order); });
    return result;
  }
  if (order.task == Task::eager) {
    if (order.leads == 0) {
      follow_eager(order);
    } else {
      result.eager_bytes = lead_eager(order);
    }
    return result;
  }
  if (order.leads == 0) {
    follow_latency(order.peer);
  } else {
    const Latency latency = lead_latency(order.peer);
    result.latency_us = latency.one_way * 1e6;
    result.overhead_us = latency.send * 1e6;
  }
  result.cost = both_directions(
      order, [&] { send_cost_messages(order.peer); },
      [&] { return receive_cost_messages(order.peer); });
  return result;
}

}  // namespace kith::probe
