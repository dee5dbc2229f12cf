#include "info/mapping_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/plain_text.hpp"
#include "io/format/json_text.hpp"
#include "io/launch/launch_file.hpp"
#include "kith/io.hpp"
#include "output.hpp"

namespace kith::tools {
namespace {

struct MappingFacts {
  std::uint32_t least_slot = 0;
  std::uint32_t most_slot = 0;
  std::uint32_t unmoved = 0;  ///< ranks on the slot of their number
};

MappingFacts facts_of(const Mapping& mapping) {
  MappingFacts facts;
  const auto [least, most] = std::ranges::minmax_element(mapping.slot_of, {}, &Slot::value);
  facts.least_slot = least->value;
  facts.most_slot = most->value;
  for (std::uint32_t r = 0; r < mapping.ranks(); ++r) facts.unmoved += mapping[Rank(r)].value == r;
  return facts;
}

}  // namespace

std::string mapping_facts(const std::filesystem::path& path, bool as_json) {
  const MappingFile file = read_mapping(path);
  const MappingFacts facts = facts_of(file.mapping);
  if (as_json) {
    JsonText json;
    json.begin_object();
    json.key("mapping").value(path.string());
    json.key("ranks").value(file.mapping.ranks());
    json.key("unmoved").value(facts.unmoved);
    json.key("least_slot").value(facts.least_slot).key("most_slot").value(facts.most_slot);
    json.key("topology");
    if (file.topology) {
      json.value(*file.topology);
    } else {
      json.null();
    }
    json.end_object();
    return json.take();
  }
  const auto line = [](std::string_view name, const std::string& value) {
    return fmt::format("{:<12} {}\n", name, printable(value));
  };
  std::string text = line("mapping", path.string());
  text += line("ranks", fmt::format("{}, of them {} on the slot of their own number",
                                    file.mapping.ranks(), facts.unmoved));
  text += line("slots", fmt::format("{} to {}", facts.least_slot, facts.most_slot));
  if (file.topology) text += line("machine", *file.topology);
  if (file.hosts) text += line("hosts", *file.hosts);
  return text + line("to judge it", fmt::format("kith eval TRACE --topology {} --mapping {}",
                                                shell_word(file.topology.value_or("MACHINE")),
                                                shell_word(path.string())));
}

}  // namespace kith::tools
