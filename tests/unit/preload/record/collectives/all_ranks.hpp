// All ranks of a collective in one process.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "record/collectives/model.hpp"

namespace kith::record {

struct SentMessage {
  int from;
  int to;
  std::uint64_t bytes;
  bool operator==(const SentMessage&) const = default;
};

/// What the ranks of a communicator send, rank after rank; `pattern(place, send)` is called for
/// each.
template <class Pattern>
std::vector<SentMessage> all_messages(int size, Pattern pattern) {
  std::vector<SentMessage> messages;
  for (int rank = 0; rank < size; ++rank) {
    auto note = [&](int to, std::uint64_t bytes) {
      EXPECT_GE(to, 0);
      EXPECT_LT(to, size);
      EXPECT_NE(to, rank);
      messages.push_back({rank, to, bytes});
    };
    pattern(Place{size, rank}, Send(note));
  }
  return messages;
}

inline std::vector<SentMessage> all_messages(int size, const IntraModel& model,
                                             Collective collective, const Arguments& arguments) {
  return all_messages(size, [&](const Place& place, Send send) {
    model.messages(collective, place, arguments, send);
  });
}

inline std::uint64_t total(const std::vector<SentMessage>& messages) {
  std::uint64_t sum = 0;
  for (const SentMessage& m : messages) sum += m.bytes;
  return sum;
}

inline std::uint64_t received(const std::vector<SentMessage>& messages, int rank) {
  std::uint64_t sum = 0;
  for (const SentMessage& m : messages) sum += m.to == rank ? m.bytes : 0;
  return sum;
}

inline std::uint64_t sent(const std::vector<SentMessage>& messages, int rank) {
  std::uint64_t sum = 0;
  for (const SentMessage& m : messages) sum += m.from == rank ? m.bytes : 0;
  return sum;
}

}  // namespace kith::record
