// Flux's task map (RFC 34): [first node, nodes, tasks on each, repetitions], as often as needed.
#include <fmt/format.h>

#include "io/launch/launch_file.hpp"

namespace kith {
namespace {

struct Block {
  std::uint32_t first = 0;
  std::uint32_t nodes = 1;
  std::uint32_t tasks = 0;
  std::uint32_t repetitions = 1;
};

/// Neighbouring hosts with equally many consecutive ranks are one block.
std::vector<Block> blocks_of(const std::vector<HostRun>& runs) {
  std::vector<Block> blocks;
  for (const HostRun& run : runs) {
    Block* const last = blocks.empty() ? nullptr : &blocks.back();
    if (last != nullptr && last->tasks == run.ranks && last->first + last->nodes == run.host) {
      ++last->nodes;
    } else {
      blocks.push_back({run.host, 1, run.ranks, 1});
    }
  }
  return blocks;
}

/// Equal blocks in a row are one, repeated.
std::vector<Block> repeated(const std::vector<Block>& blocks) {
  std::vector<Block> shorter;
  for (const Block& block : blocks) {
    Block* const last = shorter.empty() ? nullptr : &shorter.back();
    if (last != nullptr && last->first == block.first && last->nodes == block.nodes &&
        last->tasks == block.tasks) {
      ++last->repetitions;
    } else {
      shorter.push_back(block);
    }
  }
  return shorter;
}

}  // namespace

LaunchFile flux_taskmap(const Seating& seating, const std::string& name) {
  LaunchFile file;
  for (const Block& block : repeated(blocks_of(host_runs(seating)))) {
    file.text += fmt::format("{}[{},{},{},{}]", file.text.empty() ? "[" : ",", block.first,
                             block.nodes, block.tasks, block.repetitions);
  }
  file.text += "]\n";
  file.command = fmt::format("flux run -n {} -N {} --taskmap=manual:\"$(cat {})\" ./app",
                             seating.seats.size(), seating.hosts.size(), shell_word(name));
  note_order_in_hosts(seating, file);
  file.notes.emplace_back("nodes are numbered in the order of the job that was recorded: 0 is " +
                          seating.hosts.front().name);
  return file;
}

}  // namespace kith
