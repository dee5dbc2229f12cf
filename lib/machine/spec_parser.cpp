#include "kith/error.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

struct Source {
  std::string_view prefix;  ///< "tree:" takes a body, "this" none
  std::string_view example;
  std::unique_ptr<Machine> (*read)(const SpecRequest&);
};

// A new source is one reader (its own file, declared in sources.hpp) and one line here.
constexpr Source sources[] = {
    {"tree:", "tree:64x2x8", read_tree},
    {"torus:", "torus:16x16x16", read_torus},
    {"mesh:", "mesh:8x8", read_mesh},
    {"hypercube:", "hypercube:10", read_hypercube},
    {"fattree:", "fattree:16,3", read_fattree},
    {"dragonfly:", "dragonfly:9,4,2", read_dragonfly},
    {"matrix:", "matrix:FILE", read_matrix},
    {"hwloc:", "hwloc:FILE.xml", read_hwloc},
    {"scotch:", "scotch:FILE.tgt", read_scotch},
    {"this", "this", read_this},
    {"job", "job", read_job},
};

std::string known_sources() {
  std::string list = "one of";
  for (const Source& source : sources) {
    list.append(&source == sources ? " " : ", ").append(source.example);
  }
  return list;
}

bool matches(const Source& source, std::string_view spec) {
  return source.prefix.ends_with(':') ? spec.starts_with(source.prefix) : spec == source.prefix;
}

}  // namespace

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
  throw bad_input(option, known_sources(), "\"" + request.spec + "\"");
}

}  // namespace kith
