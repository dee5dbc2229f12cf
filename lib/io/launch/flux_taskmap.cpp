// Flux's task map (RFC 34): [first node, nodes, tasks on each, repetitions], as often as needed.
#include <fmt/format.h>

#include "io/launch/launch_file.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

struct Block {
  std::uint32_t first = 0;
  std::uint32_t nodes = 1;
  std::uint32_t tasks = 0;
  std::uint32_t repetitions = 1;
};

/// By host: its number among those with ranks, which are the nodes that Flux will count. Flux gives
/// each of them equally many ranks, and refuses a map that does not.
std::vector<std::uint32_t> node_numbers(const Bindings& bindings, std::string_view option) {
  std::vector<std::uint32_t> numbers;
  std::uint32_t nodes = 0;
  const BindingHost* first = nullptr;
  for (const BindingHost& host : bindings.hosts) {
    numbers.push_back(nodes);
    if (host.ranks == 0) continue;
    ++nodes;
    if (first == nullptr) first = &host;
    if (host.ranks == first->ranks) continue;
    throw bad_input(
        option, "equally many ranks on each host, as flux run spreads them",
        fmt::format("{} on {}, {} on {}", first->ranks, first->name, host.ranks, host.name));
  }
  return numbers;
}

/// Neighbouring hosts with equally many consecutive ranks are one block.
std::vector<Block> blocks_of(const std::vector<HostRun>& runs,
                             const std::vector<std::uint32_t>& number_of) {
  std::vector<Block> blocks;
  for (const HostRun& run : runs) {
    const std::uint32_t node = number_of[run.host];
    Block* const last = blocks.empty() ? nullptr : &blocks.back();
    if (last != nullptr && last->tasks == run.ranks && last->first + last->nodes == node) {
      ++last->nodes;
    } else {
      blocks.push_back({node, 1, run.ranks, 1});
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

LaunchFile flux_taskmap(const Bindings& bindings, const std::string& name,
                        std::string_view option) {
  const std::vector<std::uint32_t> number_of = node_numbers(bindings, option);
  LaunchFile file;
  for (const Block& block : repeated(blocks_of(host_runs(bindings), number_of))) {
    file.text += fmt::format("{}[{},{},{},{}]", file.text.empty() ? "[" : ",", block.first,
                             block.nodes, block.tasks, block.repetitions);
  }
  file.text += "]\n";
  note_host_order(bindings, file);
  file.command = fmt::format("flux run -n {} -N {} --taskmap=manual:\"$(cat {})\" ./app",
                             bindings.of_rank.size(), file.host_order.size(), shell_word(name));
  note_order_in_hosts(bindings, file);
  return file;
}

}  // namespace kith
