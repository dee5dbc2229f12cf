// Slurm's topology.yaml.
#include "core/line_reader.hpp"
#include "machine/network/slurm_topology.hpp"

#ifndef KITH_YAML

namespace kith {

HostNetwork read_topology_yaml(LineReader& in) {
  throw environment_error("cannot read " + in.file() + ": Kith was built without yaml-cpp");
}

}  // namespace kith

#else

#include <yaml-cpp/yaml.h>

#include "core/parse_number.hpp"

namespace kith {
namespace {

constexpr std::size_t largest_file = std::size_t{1} << 26;

class YamlReader {
 public:
  explicit YamlReader(LineReader& in) : in_(in), file_(in.file()) {}

  HostNetwork read() {
    try {
      return network_of(chosen(YAML::Load(whole_text())));
    } catch (const YAML::Exception& error) {
      throw bad_input_at(file_, line_of(error.mark), "YAML", error.msg);
    }
  }

 private:
  /// Line by line, as a pipe says only at its end how long it is.
  std::string whole_text() {
    in_.limit_lines(largest_file);
    std::string text;
    std::string_view line;
    while (in_.next(line)) {
      if (text.size() + line.size() >= largest_file) {
        throw bad_input(file_, "a file of at most 64 MiB", "a larger one");
      }
      text.append(line) += '\n';
    }
    return text;
  }

  static std::size_t line_of(const YAML::Mark& mark) {
    return mark.line < 0 ? 1 : static_cast<std::size_t>(mark.line) + 1;
  }

  Error error(const YAML::Node& node, std::string_view expected, std::string_view found) const {
    return bad_input_at(file_, line_of(node.Mark()), expected, found);
  }

  static bool is_true(const YAML::Node& topology, const char* key) {
    const YAML::Node value = topology[key];
    return value && value.IsScalar() && value.as<bool>(false);
  }

  /// Of a list of topologies the one for the whole cluster.
  YAML::Node chosen(const YAML::Node& root) const {
    if (!root.IsSequence() || root.size() == 0) {
      throw error(root, "a list of topologies (\"- topology: NAME\")", "something else");
    }
    for (const YAML::Node& topology : root) {
      if (!topology.IsMap() || !topology["topology"]) {
        throw error(topology, "topology: NAME", "none");
      }
    }
    for (const YAML::Node& topology : root) {
      if (is_true(topology, "cluster_default")) return topology;
    }
    return root[0];
  }

  HostNetwork network_of(const YAML::Node& topology) const {
    const YAML::Node tree = topology["tree"];
    const YAML::Node block = topology["block"];
    if (tree) return network_of_switches(entries(tree, "switches", "switch"), file_);
    if (block) {
      return network_of_blocks(entries(block, "blocks", "block"), block_sizes(block), file_);
    }
    if (is_true(topology, "flat")) {
      HostNetwork flat;
      flat.network.source = file_;
      return flat;
    }
    throw error(topology, "one of tree:, block: and flat: true", "none");
  }

  std::vector<SwitchEntry> entries(const YAML::Node& plugin, const char* list,
                                   const char* name) const {
    const YAML::Node items = plugin.IsMap() ? plugin[list] : YAML::Node();
    if (!items || !items.IsSequence()) throw error(plugin, std::string(list) + ": a list", "none");
    std::vector<SwitchEntry> out;
    for (const YAML::Node& item : items) {
      SwitchEntry entry;
      entry.file = file_;
      entry.line = line_of(item.Mark());
      entry.name = text(item, name);
      if (entry.name.empty()) throw error(item, std::string(name) + ": NAME", "none");
      entry.switches = text(item, "children");
      entry.nodes = text(item, "nodes");
      out.push_back(std::move(entry));
    }
    return out;
  }

  /// Empty where the key is absent.
  std::string text(const YAML::Node& item, const char* key) const {
    const YAML::Node value = item.IsMap() ? item[key] : YAML::Node();
    if (!value || value.IsNull()) return {};
    if (!value.IsScalar()) {
      throw error(value, std::string(key) + ": names such as s[0-3]", "a list or a map");
    }
    return value.Scalar();
  }

  std::vector<std::uint64_t> block_sizes(const YAML::Node& plugin) const {
    std::vector<std::uint64_t> sizes;
    const YAML::Node list = plugin["block_sizes"];
    for (const YAML::Node& item : list) {
      const auto size = item.IsScalar() ? parse_unsigned(item.Scalar()) : std::nullopt;
      if (!size || !is_next_block_size(sizes, *size)) {
        throw error(item, expected_block_sizes,
                    item.IsScalar() ? in_quotes(item.Scalar()) : "a list or a map");
      }
      sizes.push_back(*size);
    }
    return sizes;
  }

  LineReader& in_;
  std::string file_;
};

}  // namespace

HostNetwork read_topology_yaml(LineReader& in) {
  return YamlReader(in).read();
}

}  // namespace kith

#endif
