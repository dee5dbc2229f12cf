// What tests ask of the timeline of a trace.
//
// timeline_check TRACE                does the matrix from it equal the trace's, cell by cell?
// timeline_check TRACE --covered      is each cell at most the trace's, and the sum as stated?
// timeline_check TRACE --events RANK  all events of a rank, a line each (print_event)
// timeline_check TRACE --times        seconds of computation of each rank, and those of load.csv
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <utility>

#include "kith/io.hpp"
#include "timeline/list_code.hpp"
#include "timeline/timeline_files.hpp"
#include "timeline/traffic.hpp"
#include "timeline/unroll.hpp"

namespace {

using namespace kith;
using namespace kith::timeline;

using Cell = std::pair<std::uint32_t, std::uint32_t>;
using Cells = std::map<Cell, std::uint64_t>;

Cells cells_of(const TrafficMatrix& matrix) {
  Cells cells;
  for (std::uint32_t from = 0; from < matrix.ranks(); ++from) {
    const auto to = matrix.destinations(Rank{from});
    const auto weight = matrix.weights(Rank{from});
    for (std::size_t i = 0; i < to.size(); ++i) cells[{from, to[i].value}] = weight[i];
  }
  return cells;
}

/// How many cells differ; shows the first ones.
int differences(const char* what, const Cells& matrix, const Cells& timeline) {
  int found = 0;
  Cells all = matrix;
  all.insert(timeline.begin(), timeline.end());
  const auto at = [](const Cells& cells, const Cell& cell) {
    const auto place = cells.find(cell);
    return place == cells.end() ? std::uint64_t{0} : place->second;
  };
  for (const auto& [cell, any] : all) {
    const std::uint64_t expected = at(matrix, cell);
    const std::uint64_t actual = at(timeline, cell);
    if (expected == actual || ++found > 10) continue;
    std::printf("%s %u -> %u: expected %llu, found %llu in the timeline\n", what, cell.first,
                cell.second, static_cast<unsigned long long>(expected),
                static_cast<unsigned long long>(actual));
  }
  return found;
}

std::uint64_t left_out(const RankTimeline& rank) {
  std::uint64_t events = 0;
  for (const ThreadStream& thread : rank.threads) {
    for (const Omission& part : thread.omissions) events += part.events;
  }
  return events;
}

int compare_matrices(const std::string& path) {
  const Trace bytes = read_trace(path);
  const Trace messages = read_trace(path, {.messages = true, .phase = std::nullopt});
  TimelineFiles files(bytes.path);
  Cells found_bytes, found_messages;
  std::uint64_t omitted = 0, events = 0;
  std::size_t threads = 0;
  for (const std::uint32_t number : files.ranks()) {
    const RankTimeline rank = files.read(number);
    omitted += left_out(rank);
    threads += rank.threads.size();
    for (const ThreadStream& thread : rank.threads) events += thread.events;
    for (const TrafficCell& cell : traffic_of(rank)) {
      if (cell.bytes > 0) found_bytes[{cell.from, cell.to}] += cell.bytes;
      found_messages[{cell.from, cell.to}] += cell.messages;
    }
  }
  const int differing = differences("bytes", cells_of(bytes.bytes), found_bytes) +
                        differences("messages", cells_of(messages.bytes), found_messages);
  std::printf("ranks %zu of %u, threads %zu, events %llu, left out %llu, cells %zu, differing %d\n",
              files.ranks().size(), bytes.bytes.ranks(), threads,
              static_cast<unsigned long long>(events), static_cast<unsigned long long>(omitted),
              found_messages.size(), differing);
  return differing == 0 ? 0 : 1;
}

/// Of a timeline with omissions.
int compare_covered(const std::string& path) {
  const Trace bytes = read_trace(path);
  const Trace messages = read_trace(path, {.messages = true, .phase = std::nullopt});
  TimelineFiles files(bytes.path);
  std::uint64_t stated = 0, found = 0;
  std::size_t most_omissions = 0;
  int excessive = 0;
  for (const std::uint32_t number : files.ranks()) {
    const RankTimeline rank = files.read(number);
    for (const ThreadStream& thread : rank.threads) {
      stated += thread.bytes;
      for (const Omission& part : thread.omissions) stated -= part.bytes;
      most_omissions = std::max(most_omissions, thread.omissions.size());
    }
    for (const TrafficCell& cell : traffic_of(rank)) {
      found += cell.bytes;
      const Rank from{cell.from}, to{cell.to};
      if (cell.bytes > bytes.bytes.at(from, to) || cell.messages > messages.bytes.at(from, to)) {
        ++excessive;
      }
    }
  }
  std::printf("covered bytes stated %llu, found %llu, excessive cells %d, most omissions %zu\n",
              static_cast<unsigned long long>(stated), static_cast<unsigned long long>(found),
              excessive, most_omissions);
  return stated == found && excessive == 0 ? 0 : 1;
}

void print_peer(std::uint32_t rank, std::int64_t peer) {
  if (peer == no_peer) {
    std::printf("-");
  } else {
    std::printf("%lld", static_cast<long long>(rank + peer));
  }
}

/// Requests as thread:number/peer/tag, numbers counted from the thread's first.
void print_completed(const RankTimeline& rank, std::size_t thread, std::uint64_t requests,
                     const std::string& list) {
  for_each_stretch<completed_request_fields>(ByteReader("a list", list), [&](const auto& stretch) {
    for (std::uint64_t i = 0; i < stretch.entries; ++i) {
      const std::int64_t distance = stretch.at(i, 0);
      const std::int64_t other = stretch.at(i, 1);
      std::printf(" %lld:%lld/", static_cast<long long>(other == 0 ? thread : other - 1),
                  static_cast<long long>(other == 0 ? requests - 1 - distance : distance));
      print_peer(rank.rank, stretch.at(i, 2));
      std::printf("/%lld", static_cast<long long>(stretch.at(i, 3)));
    }
  });
}

void print_messages(const RankTimeline& rank, const std::string& list) {
  for_each_stretch<inner_message_fields>(ByteReader("a list", list), [&](const auto& stretch) {
    for (std::uint64_t i = 0; i < stretch.entries; ++i) {
      std::printf(" ");
      print_peer(rank.rank, stretch.at(i, 0));
      std::printf(":%lldx%lld", static_cast<long long>(stretch.at(i, 1)),
                  static_cast<long long>(stretch.at(i, 2)));
    }
  });
}

/// NAME, peer, bytes, tag, communicator, element, flags, list; tabs between. World ranks, except for
/// the root of a collective; '-' where it has none.
void print_event(const RankTimeline& rank, std::size_t thread, std::uint64_t requests,
                 const Event& event) {
  std::printf("%s\t", name_of(event.op));
  if (is_collective(event.op) && event.peer != no_peer) {
    std::printf("%d", event.peer);
  } else {
    print_peer(rank.rank, event.peer);
  }
  std::printf("\t%llu\t%d\t%u\t%u\t%u\t", static_cast<unsigned long long>(event.bytes), event.tag,
              event.comm, event.element, event.flags);
  const std::string& list = rank.threads[thread].program.lists.at(event.list);
  if (is_completion(event.op)) {
    print_completed(rank, thread, requests, list);
  } else {
    print_messages(rank, list);
  }
  std::printf("\n");
}

int print_events(const std::string& path, std::uint32_t number) {
  TimelineFiles files(path);
  const RankTimeline rank = files.read(number);
  for (std::size_t i = 0; i < rank.communicators.size(); ++i) {
    const Communicator& comm = rank.communicators[i];
    std::printf("%s\t%zu\t%016llx\t%u\t%u\t%u\n", comm.is_window ? "window" : "communicator", i,
                static_cast<unsigned long long>(comm.identity), comm.size, comm.rank,
                comm.remote_size);
  }
  for (std::size_t thread = 0; thread < rank.threads.size(); ++thread) {
    std::printf("thread\t%zu\n", thread);
    std::uint64_t requests = 0;
    for_each_event(rank.threads[thread], [&](const Step& step) {
      print_event(rank, thread, requests, *step.event);
      if (makes_request(*step.event)) ++requests;
    });
    for (const Omission& part : rank.threads[thread].omissions) {
      std::printf("left-out\t%llu\t%llu\n", static_cast<unsigned long long>(part.after_events),
                  static_cast<unsigned long long>(part.events));
    }
  }
  return 0;
}

int print_times(const std::string& path) {
  const Trace trace = read_trace(path);
  const auto load = read_trace_load(trace);
  TimelineFiles files(trace.path);
  for (const std::uint32_t number : files.ranks()) {
    const RankTimeline rank = files.read(number);
    double before = 0, inside = 0;
    for (const ThreadStream& thread : rank.threads) {
      for_each_event(thread, [&](const Step& step) {
        before += step.before;
        inside += step.inside;
      });
    }
    std::printf("%u computing %.6f load %.6f inside %.6f load %.6f run %.6f\n", number, before,
                load.at(number).cpu_outside_s, inside, load.at(number).cpu_inside_s,
                rank.run_seconds);
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count == 2) return compare_matrices(words[1]);
    if (count == 3 && std::strcmp(words[2], "--times") == 0) return print_times(words[1]);
    if (count == 3 && std::strcmp(words[2], "--covered") == 0) return compare_covered(words[1]);
    if (count == 4 && std::strcmp(words[2], "--events") == 0) {
      return print_events(words[1], static_cast<std::uint32_t>(std::stoul(words[3])));
    }
    std::fprintf(stderr, "timeline_check: expected TRACE [--events RANK | --times | --covered]\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "timeline_check: %s\n", error.what());
  }
  return 2;
}
