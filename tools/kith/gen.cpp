// kith gen: synthetic patterns, streamed into a file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <memory>

#include "command.hpp"
#include "core/parse_number.hpp"
#include "inputs.hpp"
#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace kith::tools {
namespace {

struct Kind;

struct GenOptions {
  const Kind* kind = nullptr;
  std::vector<std::uint32_t> extents;
  std::optional<std::string> points;  ///< which there are depends on the pattern
  std::vector<Weight> weights;
  std::optional<Weight> weight;
  std::optional<std::uint32_t> ranks, scale;
  std::optional<std::uint64_t> draws, permute;
  LeanMdParameters leanmd;  ///< except for its extents
  std::uint64_t seed = 1;
  std::optional<NoiseModel> noise;
  std::optional<double> noise_level, sparsify;
  std::optional<std::uint64_t> noise_seed;
  std::optional<std::string> output;
  std::optional<MatrixFormat> format;
  bool periodic = false;
};

/// A pattern's name, and the options that it knows beside those of all patterns.
struct Kind {
  std::string_view name;
  std::vector<std::string_view> options;
  std::unique_ptr<Pattern> (*make)(const GenOptions&);
};

template <class Value>
const Value& needed(const std::optional<Value>& value, std::string_view option,
                    std::string_view what) {
  if (value) return *value;
  throw bad_input(option, what, "none");
}

std::uint32_t rank_count(const GenOptions& options) {
  return needed(options.ranks, "--ranks", "the number of ranks");
}

/// "16x16x16", at most 2^32 - 1 ranks in all.
std::vector<std::uint32_t> parse_extents(const std::string& text) {
  std::vector<std::uint32_t> extents;
  std::uint64_t ranks = 1;
  for (const std::string_view part : split(text, 'x')) {
    extents.push_back(parse_number32(part, "--extents", 1));
    ranks = ranks > max_index_count ? ranks : ranks * extents.back();
  }
  if (ranks <= max_index_count) return extents;
  throw bad_input("--extents", fmt::format("at most {} ranks in all", max_index_count),
                  "'" + text + "'");
}

std::vector<Weight> parse_weights(const std::string& text) {
  std::vector<Weight> weights;
  for (const std::string_view part : split(text, ',')) {
    weights.push_back(parse_number(part, "--weights"));
  }
  return weights;
}

/// So many of them.
std::vector<std::uint32_t> extents_of(const GenOptions& options, std::size_t dimensions) {
  const std::vector<std::uint32_t>& extents = options.extents;
  if (extents.empty()) {
    throw bad_input("--extents", dimensions == 2 ? "ROWSxCOLUMNS" : "XxYxZ", "none");
  }
  if (extents.size() == dimensions) return extents;
  throw bad_input(
      "--extents",
      fmt::format("{} extents, such as {}", dimensions, dimensions == 2 ? "128x128" : "16x16x16"),
      fmt::format("'{}'", fmt::join(extents, "x")));
}

/// One weight for all classes of neighbours, or as many as the usual ones.
std::vector<Weight> weights_of(const GenOptions& options, std::vector<Weight> usual) {
  if (options.weight) return {*options.weight};
  const std::vector<Weight>& weights = options.weights;
  if (weights.empty()) return usual;
  if (weights.size() == 1 || weights.size() == usual.size()) return weights;
  throw bad_input("--weights",
                  usual.size() == 1
                      ? "1 weight"
                      : fmt::format("1 or {} weights with these --points", usual.size()),
                  fmt::format("'{}'", fmt::join(weights, ",")));
}

std::unique_ptr<Pattern> make_grid(const GenOptions& options, std::size_t dimensions,
                                   const std::string& few, const std::string& many,
                                   std::vector<Weight> usual_of_many) {
  auto extents = extents_of(options, dimensions);
  const bool all = parse_choice(options.points.value_or(few), "--points", {few, many}) == 1;
  auto weights = weights_of(options, all ? std::move(usual_of_many) : std::vector<Weight>{1});
  const auto points = static_cast<unsigned>(parse_number(all ? many : few, "--points"));
  return make_stencil(std::move(extents), points, options.periodic, std::move(weights));
}

std::unique_ptr<Pattern> make_rmat_pattern(const GenOptions& options) {
  const unsigned scale = needed(options.scale, "--scale", "the logarithm of the number of ranks");
  return make_rmat(scale, options.draws.value_or(std::uint64_t{8} << scale), options.seed);
}

/// The NAS programs want a power of two.
std::uint32_t nas_ranks(const GenOptions& options) {
  const std::uint32_t ranks = rank_count(options);
  if (std::has_single_bit(ranks)) return ranks;
  throw bad_input("--ranks", "a power of two (1, 2, 4, ...)", fmt::format("{}", ranks));
}

std::unique_ptr<Pattern> make_leanmd_pattern(const GenOptions& options) {
  LeanMdParameters parameters = options.leanmd;
  if (!options.extents.empty()) {
    std::ranges::copy(extents_of(options, 3), parameters.cells.begin());
  }
  return make_leanmd(parameters);
}

// A new pattern is one function of lib/graph/generate and one entry here.
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"stencil2d",
       {"--extents", "--points", "--periodic", "--weights", "--weight"},
       [](const GenOptions& o) {
         return make_grid(o, 2, "5", "9", {10, 1});
       }},
      {"stencil3d",
       {"--extents", "--points", "--periodic", "--weights", "--weight"},
       [](const GenOptions& o) {
         return make_grid(o, 3, "7", "27", {100, 10, 1});
       }},
      {"geometric",
       {"--ranks", "--seed"},
       [](const GenOptions& o) { return make_geometric(rank_count(o), o.seed); }},
      {"mesh",
       {"--ranks", "--seed"},
       [](const GenOptions& o) { return make_mesh(rank_count(o), o.seed); }},
      {"rmat", {"--scale", "--draws", "--seed"}, make_rmat_pattern},
      {"alltoall",
       {"--ranks", "--weight"},
       [](const GenOptions& o) { return make_alltoall(rank_count(o), o.weight.value_or(1)); }},
      {"dense",
       {"--ranks", "--seed"},
       [](const GenOptions& o) { return make_dense_random(rank_count(o), o.seed); }},
      {"cg",
       {"--ranks", "--weight"},
       [](const GenOptions& o) { return make_cg(nas_ranks(o), o.weight.value_or(1000)); }},
      {"lu",
       {"--ranks", "--weight"},
       [](const GenOptions& o) { return make_lu(nas_ranks(o), o.weight.value_or(1000)); }},
      {"leanmd", {"--extents", "--atoms", "--further"}, make_leanmd_pattern},
  };
  return all;
}

Choices<const Kind*> pattern_names() {
  Choices<const Kind*> names;
  for (const Kind& kind : kinds()) names.emplace_back(kind.name, &kind);
  return names;
}

/// An option that this pattern does not know would be without effect: refused.
void check_options(const Kind& kind, const CLI::App& app) {
  static constexpr std::string_view of_some[] = {"--extents", "--points", "--periodic", "--weights",
                                                 "--weight",  "--ranks",  "--scale",    "--draws",
                                                 "--seed",    "--atoms",  "--further"};
  for (const std::string_view option : of_some) {
    if (app.count(std::string(option)) == 0) continue;
    if (std::ranges::find(kind.options, option) != kind.options.end()) continue;
    throw bad_input(option,
                    fmt::format("an option of {} ({})", kind.name, fmt::join(kind.options, ", ")),
                    fmt::format("{}", option));
  }
}

std::unique_ptr<Pattern> add_noise(std::unique_ptr<Pattern> pattern, const GenOptions& options) {
  if (!options.noise) {
    if (options.noise_level) throw bad_input("--noise-level", "--noise with it", "none");
    if (options.noise_seed) throw bad_input("--noise-seed", "--noise with it", "none");
    return pattern;
  }
  const double level = needed(options.noise_level, "--noise-level", "how strong the noise is");
  return make_noisy(std::move(pattern), *options.noise, level, options.noise_seed.value_or(1));
}

/// What made the file, for its first lines.
std::string comment_of(const CLI::App& app, const GenOptions& options) {
  std::string comment = "kith gen " + std::string(options.kind->name);
  for (const CLI::Option* const option : app.get_options()) {
    const bool of_file = option->check_name("-o") || option->check_name("--format");
    if (option->get_positional() || option->count() == 0 || of_file) continue;
    comment += " " + option->get_name();
    if (option->get_type_size() > 0) comment += " " + option->results().front();
  }
  return comment;
}

/// The pattern with its noise, without light pairs, in another order: as asked.
std::unique_ptr<Pattern> make_pattern(const GenOptions& options) {
  auto pattern = add_noise(options.kind->make(options), options);
  if (options.sparsify) pattern = make_sparse(std::move(pattern), *options.sparsify);
  if (options.permute) pattern = make_permuted(std::move(pattern), *options.permute);
  return pattern;
}

void run_gen(const CLI::App& app, const GenOptions& options) {
  check_options(*options.kind, app);
  const std::string& path =
      needed(options.output, "-o", "the file to write, or - for standard output");
  const MatrixFormat format = writable_format(path, options.format, "--format");
  const Progress progress("writing " + path);
  const auto pattern = make_pattern(options);
  if (format == MatrixFormat::mtx) {
    write_pattern(path, *pattern, comment_of(app, options));
  } else {
    write_matrix(path, to_matrix(*pattern), format);
  }
}

void add_pattern_options(CLI::App& app, GenOptions& options) {
  add_value(
      app, "--extents",
      [&extents = options.extents](const std::string& text) { extents = parse_extents(text); },
      "stencil: ranks along each axis, row-major; leanmd: cells, default 6x6x6")
      ->type_name("128x128|16x16x16");
  app.add_option("--points", options.points,
                 "stencil2d: 5 (default) or 9; stencil3d: 7 (default) "
                 "or 27")
      ->type_name("N");
  app.add_flag("--periodic", options.periodic, "stencil: opposite sides are neighbours");
  auto* const weights =
      add_value(
          app, "--weights",
          [&weights = options.weights](const std::string& text) { weights = parse_weights(text); },
          "stencil: weight across a face, edge, corner (2D: edge, corner), or one for "
          "all; default 1; 100,10,1 with 27 points; 10,1 with 9 points")
          ->type_name("F[,E[,C]]");
  add_number(app, "--weight", options.weight,
             "stencil, alltoall, cg, lu: weight of each pair; default 1, of cg and lu 1000", 1)
      ->type_name("W")
      ->excludes(weights);
  add_number(app, "--ranks", options.ranks,
             "geometric, mesh, alltoall, dense, cg, lu: number of ranks (cg, lu: a power of 2)", 1)
      ->type_name("N");
  add_number(app, "--scale", options.scale, "rmat: 2^K ranks", 1, 31)->type_name("K");
  add_number(app, "--draws", options.draws, "rmat: edges drawn; default 8 per rank", 1)
      ->type_name("M");
  add_number(app, "--seed", options.seed, "geometric, mesh, rmat, dense: default 1")
      ->type_name("S");
  add_number(app, "--atoms", options.leanmd.atoms,
             "leanmd: atoms in each cell, default 140; 24 bytes each", 1)
      ->type_name("N");
  add_number(app, "--further", options.leanmd.further,
             "leanmd: objects beside cells and pairs, which send nothing; default 0")
      ->type_name("N");
}

}  // namespace

std::function<void()> set_up_gen(CLI::App& app) {
  const auto options = std::make_shared<GenOptions>();
  app.description(
      "Writes the traffic of a made-up program: for trying out mappers and machines without a "
      "run. Each pattern takes the options that name it.");
  add_choice(
      app, "PATTERN", options->kind, pattern_names(),
      "stencil2d, stencil3d, geometric (random, within a radius), mesh (unstructured, in "
      "space), rmat (heavy tails), alltoall, dense (random weights), cg, lu (as those of NAS), "
      "leanmd (cells and pairs of cells)")
      ->required();
  add_pattern_options(app, *options);
  add_number(app, "--permute", options->permute, "Number the ranks at random")->type_name("SEED");
  add_choice(app, "--noise", options->noise,
             {{"gaussian-additive", NoiseModel::gaussian_additive},
              {"gaussian-multiplicative", NoiseModel::gaussian_multiplicative},
              {"uniform-additive", NoiseModel::uniform_additive},
              {"uniform-multiplicative", NoiseModel::uniform_multiplicative}},
             "Disturb the weights; the additive ones disturb all pairs of ranks");
  add_real(app, "--noise-level", options->noise_level,
           "Standard deviation or half width of the noise, added or times the weight; one "
           "draw per pair, for both directions: drawn for each, their total would spread so "
           "at sqrt(2) K",
           1e15)
      ->type_name("K");
  add_number(app, "--noise-seed", options->noise_seed, "Default 1")->type_name("S");
  add_real(app, "--sparsify", options->sparsify,
           "Keep the pairs whose weight is above F x the heaviest, 0 to 1; after the noise", 1)
      ->type_name("F");
  app.add_option("-o", options->output, "The file to write")->type_name("FILE");
  add_matrix_format_option(
      app, "--format", options->format,
      "Format of FILE; without it, by the name's ending (.mtx is streamed, the others "
      "are made in memory)")
      ->type_name("mtx|csv|dense|metis|scotch");
  put_in_group(app, "Pattern",
               {"--extents", "--points", "--periodic", "--weights", "--weight", "--ranks",
                "--scale", "--draws", "--seed", "--atoms", "--further"});
  put_in_group(app, "What becomes of it",
               {"--permute", "--noise", "--noise-level", "--noise-seed", "--sparsify"});
  put_in_group(app, output_group, {"-o", "--format"});
  app.footer(
      "Each direction of a pair gets the given weight. Metrics sum both directions: twice the "
      "weight.\n"
      "A pair is written once and stands for both directions (symmetric).\n"
      "Examples:\n"
      "  kith gen stencil3d --extents 16x16x16 --points 27 -o stencil.mtx\n"
      "  kith gen stencil2d --extents 32x32 --periodic --permute 1 -o shuffled.mtx\n"
      "  kith gen rmat --scale 14 --draws 131072 --seed 3 --permute 1 -o rmat.mtx");
  return [options, &app] { run_gen(app, *options); };
}

}  // namespace kith::tools
