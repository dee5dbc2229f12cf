// made_trace NAME.kith RANKS SEED [OMITTED [PASSES [SECONDS [ASLEEP]]]]: the trace of a random
// program that was never run: its timeline and both matrices. The last rank's timeline leaves out
// so many operations at its end. All is done so many times, and the run takes so long (3 s). Before
// its first operation, and one more, each rank sleeps so many seconds.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "timeline/traffic.hpp"
#include "timeline_programs.hpp"

using namespace kith::timeline;

namespace {

std::vector<TrafficCell> traffic_of_all(const std::vector<RankTimeline>& ranks) {
  std::vector<TrafficCell> all;
  for (const RankTimeline& rank : ranks) {
    for (const TrafficCell& cell : traffic_of(rank)) all.push_back(cell);
  }
  return summed(std::move(all));
}

void write_matrix(const std::string& path, std::size_t ranks,
                  const std::vector<TrafficCell>& cells, std::uint64_t TrafficCell::*field) {
  std::ofstream file(path);
  file << "%%MatrixMarket matrix coordinate integer general\n"
       << ranks << ' ' << ranks << ' ' << cells.size() << '\n';
  for (const TrafficCell& cell : cells) {
    file << cell.from + 1 << ' ' << cell.to + 1 << ' ' << cell.*field << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 8) {
    std::cerr << "usage: made_trace NAME.kith RANKS SEED [OMITTED [PASSES [SECONDS [ASLEEP]]]]\n";
    return 2;
  }
  const std::string name = argv[1];
  const auto ranks = static_cast<std::uint32_t>(std::atoi(argv[2]));
  const auto passes = static_cast<std::uint64_t>(argc > 5 ? std::atoi(argv[5]) : 1);
  auto all = mixture(ranks, static_cast<std::uint32_t>(std::atoi(argv[3])), 30, passes);
  for (RankTimeline& rank : all) {
    if (argc > 6) rank.run_seconds = std::atoi(argv[6]);
    const double asleep = argc > 7 ? 1e9 * std::atof(argv[7]) : 0;
    std::vector<PositionTimes>& times = rank.threads.front().times;
    times[1].first_asleep = times[2].first_asleep = asleep;
  }
  if (argc > 4 && std::atoi(argv[4]) > 0) {
    ThreadStream& thread = all.back().threads.front();
    const auto omitted = static_cast<std::uint64_t>(std::atoi(argv[4]));
    thread.omissions = {{thread.events, omitted, 0, 0.1}};
    thread.events += omitted;
  }
  write_trace(name, all);
  const std::vector<TrafficCell> cells = traffic_of_all(all);
  write_matrix(name + "/bytes.mtx", ranks, cells, &TrafficCell::bytes);
  write_matrix(name + "/messages.mtx", ranks, cells, &TrafficCell::messages);
  std::ofstream(name + "/meta.json") << "{\"ranks\": " << ranks << "}\n";
}
