#include "kith/error.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

struct Source {
  std::string_view prefix;  ///< "tree:" takes a body, "this" none
  std::string_view example;
  std::unique_ptr<Machine> (*read)(const SpecRequest&);
  bool (*names_file)(std::string_view body) = nullptr;  ///< null: never
};

bool always(std::string_view /*body*/) {
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
    {"matrix:", "matrix:FILE", read_matrix, always},
    {"hwloc:", "hwloc:FILE.xml", read_hwloc, names_file},
    {"scotch:", "scotch:FILE.tgt", read_scotch, names_scotch_file},
    {"this", "this", read_this},
    {"job", "job", read_job},
};

bool matches(const Source& source, std::string_view spec) {
  return source.prefix.ends_with(':') ? spec.starts_with(source.prefix) : spec == source.prefix;
}

}  // namespace

std::string spec_examples() {
  std::string list;
  for (const Source& source : sources) list.append(list.empty() ? "" : ", ").append(source.example);
  return list;
}

std::string_view file_in_spec(std::string_view spec) {
  for (const Source& source : sources) {
    if (!matches(source, spec)) continue;
    const std::string_view body = spec.substr(source.prefix.size());
    return source.names_file != nullptr && source.names_file(body) ? body : std::string_view{};
  }
  return {};
}

std::unique_ptr<Machine> parse_machine(std::string_view spec, const JobDescription* job,
                                       std::string_view option, Granularity granularity) {
  constexpr std::string_view suffix = ";slots=";
  const auto cut = spec.rfind(suffix);
  SpecRequest request{std::string(spec.substr(0, cut)), {}, std::string(option), job, granularity};
  for (const Source& source : sources) {
    if (!matches(source, request.spec)) continue;
    request.body = std::string_view(request.spec).substr(source.prefix.size());
    auto machine = source.read(request);
    if (cut == std::string_view::npos) return machine;
    return machine->restricted_to(SlotSet::parse(spec.substr(cut + suffix.size()), option));
  }
  throw bad_input(option, "one of " + spec_examples(), "\"" + request.spec + "\"");
}

}  // namespace kith
