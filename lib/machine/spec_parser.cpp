#include <algorithm>
#include <optional>

#include "core/did_you_mean.hpp"
#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "core/plain_text.hpp"
#include "kith/error.hpp"
#include "machine/network/host_network.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

/// What a source's SPEC may carry beside ;slots= and ;nodes=.
enum class Extra { none, tree, network };

struct Source {
  std::string_view prefix;  ///< "tree:" takes a body, "this" none
  std::string_view example;
  std::unique_ptr<Machine> (*read)(const SpecRequest&);
  Extra extra = Extra::none;
  bool (*names_file)(std::string_view body) = nullptr;  ///< null: never
};

bool always(std::string_view) {
  return true;
}

// A new source is one reader (its own file, declared in sources.hpp) and one line here.
constexpr Source sources[] = {
    {"tree:", "tree:64x2x8", read_tree},
    {"torus:", "torus:16x16x16", read_torus},
    {"mesh:", "mesh:8x8", read_mesh},
    {"hypercube:", "hypercube:10", read_hypercube},
    {"fattree:", "fattree:16,3", read_fattree},
    {"dragonfly:", "dragonfly:9,4,2", read_dragonfly},
    {"matrix:", "matrix:FILE", read_matrix, Extra::none, always},
    {"hwloc:", "hwloc:FILE.xml", read_hwloc, Extra::none, names_file},
    {"scotch:", "scotch:FILE.tgt", read_scotch, Extra::none, names_scotch_file},
    {"simgrid:", "simgrid:FILE.xml", read_simgrid, Extra::none, always},
    {"hosts:", "hosts:FILE", read_hosts, Extra::tree, always},
    {"slurm:", "slurm:topology.conf", read_slurm, Extra::tree, always},
    {"this", "this", read_this},
    {"job", "job", read_job, Extra::network},
};

bool matches(const Source& source, std::string_view spec) {
  return source.prefix.ends_with(':') ? spec.starts_with(source.prefix) : spec == source.prefix;
}

/// ";KEY=VALUE"; key and value are views into the SPEC.
struct Suffix {
  std::string_view key;
  std::string_view value;
};

/// Where the first suffix begins: a ';' before a word and '='. A file's name may hold other ones.
std::size_t first_suffix(std::string_view spec) {
  for (std::size_t at = spec.find(';'); at != std::string_view::npos; at = spec.find(';', at + 1)) {
    const std::size_t end = spec.find_first_not_of("abcdefghijklmnopqrstuvwxyz", at + 1);
    if (end != std::string_view::npos && end > at + 1 && spec[end] == '=') return at;
  }
  return spec.size();
}

std::vector<Suffix> suffixes_of(std::string_view spec) {
  std::vector<Suffix> suffixes;
  while (!spec.empty()) {
    const std::size_t equals = spec.find('=');
    const std::size_t end = equals + first_suffix(spec.substr(equals));
    suffixes.push_back({spec.substr(1, equals - 1), spec.substr(equals + 1, end - equals - 1)});
    spec.remove_prefix(end);
  }
  return suffixes;
}

const Source* source_of(std::string_view plain) {
  const auto found =
      std::ranges::find_if(sources, [&](const Source& one) { return matches(one, plain); });
  return found == std::end(sources) ? nullptr : &*found;
}

/// Lists of slots and of nodes may be in files.
bool names_file(const Suffix& suffix) {
  if (suffix.key == "network") return true;
  if (suffix.key == "nodes") return names_node_file(suffix.value);
  return suffix.key == "slots" &&
         suffix.value.find_first_not_of("0123456789,- \t") != std::string_view::npos;
}

/// Gives ;tree= and ;network= to the source's reader. Filters wait for the machine.
void add_suffix(SpecRequest& request, const Source& source, const Suffix& suffix) {
  if (suffix.key == "slots" || suffix.key == "nodes") return;
  const bool is_tree = suffix.key == "tree";
  if (!is_tree && suffix.key != "network") {
    throw bad_input(request.option, "one of ;slots=, ;nodes=, ;tree= and ;network=",
                    in_quotes(";" + std::string(suffix.key) + "="));
  }
  if (source.extra != (is_tree ? Extra::tree : Extra::network)) {
    throw bad_input(request.option,
                    is_tree ? "\";tree=\" behind hosts: or slurm:"
                            : "\";network=\" behind job (hosts:FILE takes speeds in FILE itself)",
                    "it behind \"" + request.spec.substr(0, request.spec.find(';')) + "\"");
  }
  const bool is_second = is_tree ? !request.node_tree.empty() : !request.network.empty();
  if (is_second || suffix.value.empty()) {
    throw bad_input(request.option, "\";" + std::string(suffix.key) + "=...\" once",
                    suffix.value.empty() ? "nothing behind =" : "it twice");
  }
  if (is_tree) request.node_tree = suffix.value;
  if (!is_tree) request.network = suffix.value;
}

std::unique_ptr<Machine> filtered(std::unique_ptr<Machine> machine, const Suffix& suffix,
                                  const std::string& option) {
  if (suffix.key == "slots") {
    return machine->restricted_to(SlotSet::parse(suffix.value, option, machine->slots()));
  }
  if (suffix.key != "nodes") return machine;
  const auto nodes = parse_node_list(suffix.value, option);
  return machine->restricted_to(slots_of_nodes(*machine, nodes, option));
}

/// The SPEC without the suffixes that only filter: what made the machine.
std::string made_of(std::string_view body, const std::vector<Suffix>& suffixes) {
  std::string spec(body);
  for (const Suffix& suffix : suffixes) {
    if (suffix.key == "slots" || suffix.key == "nodes") continue;
    spec.append(";").append(suffix.key).append("=").append(suffix.value);
  }
  return spec;
}

}  // namespace

namespace {

/// What may have been meant by a SPEC that no source takes: a kind that is written so or nearly so,
/// or the kind of a file that is named without it.
std::string likely_spec(std::string_view plain) {
  if (plain.ends_with(".net")) return " (did you mean hosts:" + std::string(plain) + "?)";
  std::vector<std::string> kinds;
  for (const Source& source : sources) {
    const auto dot = source.example.rfind('.');
    const bool is_of_file = source.names_file != nullptr && dot != std::string_view::npos;
    if (is_of_file && plain.size() > 5 && plain.ends_with(source.example.substr(dot))) {
      return " (did you mean " + std::string(source.prefix) + std::string(plain) + "?)";
    }
    kinds.emplace_back(source.prefix);
  }
  const auto colon = plain.find(':');
  return did_you_mean(plain.substr(0, colon == std::string_view::npos ? colon : colon + 1), kinds);
}

}  // namespace

std::string spec_examples() {
  std::string list;
  for (const Source& source : sources) list.append(list.empty() ? "" : ", ").append(source.example);
  return list;
}

std::vector<SpecPart> parts_of(std::string_view spec) {
  const std::string_view plain = spec.substr(0, first_suffix(spec));
  const Source* const source = source_of(plain);
  const std::size_t key = source == nullptr ? plain.size() : source->prefix.size();
  const std::string_view body = plain.substr(key);
  const bool is_file = source != nullptr && source->names_file != nullptr;
  std::vector<SpecPart> parts{{plain.substr(0, key), body, is_file && source->names_file(body)}};
  for (const Suffix& suffix : suffixes_of(spec.substr(plain.size()))) {
    const char* const begin = suffix.key.data() - 1;
    const auto length = static_cast<std::size_t>(suffix.value.data() - begin);
    parts.push_back({{begin, length}, suffix.value, names_file(suffix)});
  }
  return parts;
}

std::unique_ptr<Machine> parse_machine(std::string_view spec, const JobDescription* job,
                                       std::string_view option, Granularity granularity) {
  const std::string_view plain = spec.substr(0, first_suffix(spec));
  const auto suffixes = suffixes_of(spec.substr(plain.size()));
  const Source* const source = source_of(plain);
  if (source == nullptr) {
    throw bad_input(option, "one of " + spec_examples(), in_quotes(plain) + likely_spec(plain));
  }
  const std::string_view body = plain.substr(source->prefix.size());
  if (body.empty() && source->names_file != nullptr && source->names_file(body)) {
    throw bad_input(option, std::string(source->example),
                    "nothing behind \"" + std::string(source->prefix) + "\"");
  }
  SpecRequest request{made_of(plain, suffixes), body, std::string(option), job, granularity};
  for (const Suffix& suffix : suffixes) add_suffix(request, *source, suffix);
  auto machine = source->read(request);
  for (const Suffix& suffix : suffixes) {
    machine = filtered(std::move(machine), suffix, request.option);
  }
  return machine;
}

}  // namespace kith
