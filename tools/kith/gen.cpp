// kith gen: synthetic patterns, streamed into a file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <memory>

#include "command.hpp"
#include "core/parse_number.hpp"
#include "help/option_groups.hpp"
#include "io/atomic_file.hpp"
#include "io/format/mtx_writer.hpp"
#include "kith/error.hpp"
#include "kith/generate.hpp"
#include "kith/io.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "values.hpp"
#include "writable_format.hpp"

namespace kith::tools {
namespace {

using Text = std::optional<std::string>;

struct GenOptions {
  std::string pattern;
  Text extents, points, weights, weight, ranks, scale, draws, seed, atoms, further, permute, output,
      format;
  Text noise, noise_level, noise_seed, sparsify;
  bool periodic = false;
};

/// A pattern's name, what it is, and the options that it knows beside those of all patterns.
struct Kind {
  std::string_view name;
  std::vector<std::string_view> options;
  std::unique_ptr<Pattern> (*make)(const GenOptions&);
};

const std::string& needed(const Text& value, std::string_view option, std::string_view what) {
  if (value) return *value;
  throw bad_input(option, what, "none");
}

std::uint32_t rank_count(const GenOptions& options) {
  return parse_number32(needed(options.ranks, "--ranks", "the number of ranks"), "--ranks", 1);
}

std::uint64_t seed_of(const GenOptions& options) {
  return parse_number(options.seed.value_or("1"), "--seed");
}

std::uint64_t pair_weight(const GenOptions& options, std::uint64_t usual) {
  return options.weight ? parse_number(*options.weight, "--weight", 1) : usual;
}

/// "16x16x16", so many extents, at most 2^32 - 1 ranks in all.
std::vector<std::uint32_t> parse_extents(const GenOptions& options, std::size_t dimensions) {
  const std::string example = dimensions == 2 ? "128x128" : "16x16x16";
  const std::string& text =
      needed(options.extents, "--extents", dimensions == 2 ? "ROWSxCOLUMNS" : "XxYxZ");
  std::vector<std::uint32_t> extents;
  std::uint64_t ranks = 1;
  for (const std::string_view part : split(text, 'x')) {
    extents.push_back(parse_number32(part, "--extents", 1));
    ranks = ranks > max_index_count ? ranks : ranks * extents.back();
  }
  if (extents.size() != dimensions) {
    throw bad_input("--extents", fmt::format("{} extents, such as {}", dimensions, example),
                    "'" + text + "'");
  }
  if (ranks > max_index_count) {
    throw bad_input("--extents", fmt::format("at most {} ranks in all", max_index_count),
                    "'" + text + "'");
  }
  return extents;
}

/// One weight for all classes of neighbours, or one for each of `classes`.
std::vector<Weight> parse_weights(const GenOptions& options, std::vector<Weight> usual) {
  if (options.weight) return {parse_number(*options.weight, "--weight", 1)};
  if (!options.weights) return usual;
  std::vector<Weight> weights;
  for (const std::string_view part : split(*options.weights, ',')) {
    weights.push_back(parse_number(part, "--weights"));
  }
  if (weights.size() != 1 && weights.size() != usual.size()) {
    throw bad_input("--weights",
                    usual.size() == 1
                        ? "1 weight"
                        : fmt::format("1 or {} weights with these --points", usual.size()),
                    "'" + *options.weights + "'");
  }
  return weights;
}

std::unique_ptr<Pattern> make_grid(const GenOptions& options, std::size_t dimensions,
                                   const std::string& few, const std::string& many,
                                   std::vector<Weight> usual_of_many) {
  auto extents = parse_extents(options, dimensions);
  const bool all = parse_choice(options.points.value_or(few), "--points", {few, many}) == 1;
  auto weights = parse_weights(options, all ? std::move(usual_of_many) : std::vector<Weight>{1});
  const auto points = static_cast<unsigned>(parse_number(all ? many : few, "--points"));
  return make_stencil(std::move(extents), points, options.periodic, std::move(weights));
}

std::unique_ptr<Pattern> make_rmat_pattern(const GenOptions& options) {
  const auto scale = static_cast<unsigned>(parse_number(
      needed(options.scale, "--scale", "the logarithm of the number of ranks"), "--scale", 1, 31));
  const std::uint64_t draws =
      options.draws ? parse_number(*options.draws, "--draws", 1) : std::uint64_t{8} << scale;
  return make_rmat(scale, draws, seed_of(options));
}

/// The NAS programs want a power of two.
std::uint32_t nas_ranks(const GenOptions& options) {
  const std::uint32_t ranks = rank_count(options);
  if (std::has_single_bit(ranks)) return ranks;
  throw bad_input("--ranks", "a power of two (1, 2, 4, ...)", fmt::format("{}", ranks));
}

std::unique_ptr<Pattern> make_leanmd_pattern(const GenOptions& options) {
  LeanMdParameters parameters;
  if (options.extents) std::ranges::copy(parse_extents(options, 3), parameters.cells.begin());
  if (options.atoms) parameters.atoms = parse_number(*options.atoms, "--atoms", 1);
  if (options.further) parameters.further = parse_number32(*options.further, "--further", 0);
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
       [](const GenOptions& o) { return make_geometric(rank_count(o), seed_of(o)); }},
      {"mesh",
       {"--ranks", "--seed"},
       [](const GenOptions& o) { return make_mesh(rank_count(o), seed_of(o)); }},
      {"rmat", {"--scale", "--draws", "--seed"}, make_rmat_pattern},
      {"alltoall",
       {"--ranks", "--weight"},
       [](const GenOptions& o) { return make_alltoall(rank_count(o), pair_weight(o, 1)); }},
      {"dense",
       {"--ranks", "--seed"},
       [](const GenOptions& o) { return make_dense_random(rank_count(o), seed_of(o)); }},
      {"cg",
       {"--ranks", "--weight"},
       [](const GenOptions& o) { return make_cg(nas_ranks(o), pair_weight(o, 1000)); }},
      {"lu",
       {"--ranks", "--weight"},
       [](const GenOptions& o) { return make_lu(nas_ranks(o), pair_weight(o, 1000)); }},
      {"leanmd", {"--extents", "--atoms", "--further"}, make_leanmd_pattern},
  };
  return all;
}

/// "stencil2d|stencil3d|..."
std::string pattern_names() {
  std::string names;
  for (const Kind& kind : kinds()) names.append(names.empty() ? "" : "|").append(kind.name);
  return names;
}

const Kind& find_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) names.emplace_back(kind.name);
  return kinds()[parse_choice(name, "PATTERN", names)];
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

/// A decimal number from 0 to `most`.
double parse_decimal(const std::string& text, std::string_view option, double most) {
  const auto value = parse_real(text);
  if (value && *value >= 0 && *value <= most) return *value;
  throw bad_input(option,
                  most == 1 ? "a number from 0 to 1" : fmt::format("a number from 0 to {}", most),
                  "'" + text + "'");
}

std::unique_ptr<Pattern> add_noise(std::unique_ptr<Pattern> pattern, const GenOptions& options) {
  if (!options.noise) {
    if (options.noise_level) throw bad_input("--noise-level", "--noise with it", "none");
    if (options.noise_seed) throw bad_input("--noise-seed", "--noise with it", "none");
    return pattern;
  }
  const auto model =
      static_cast<NoiseModel>(parse_choice(*options.noise, "--noise",
                                           {"gaussian-additive", "gaussian-multiplicative",
                                            "uniform-additive", "uniform-multiplicative"}));
  constexpr double most = 1e15;
  const double level =
      parse_decimal(needed(options.noise_level, "--noise-level", "how strong the noise is"),
                    "--noise-level", most);
  return make_noisy(std::move(pattern), model, level,
                    parse_number(options.noise_seed.value_or("1"), "--noise-seed"));
}

/// Two passes instead of a matrix in memory: the format wants the number of entries first.
void stream_mtx(const Pattern& pattern, const std::string& path, std::string_view comment) {
  std::uint64_t pairs = 0;
  pattern.for_each_pair([&](Rank, Rank, Weight) { ++pairs; });
  AtomicFile file(path);
  MtxWriter out(file.fd(), pattern.ranks(), pairs, MtxSymmetry::symmetric, comment);
  pattern.for_each_pair([&](Rank a, Rank b, Weight weight) {
    out.entry(std::max(a, b).value, std::min(a, b).value, weight);
  });
  if (!out.finish()) file.fail(out.error());
  file.commit();
}

/// What made the file, for its first lines.
std::string comment_of(const CLI::App& app, const GenOptions& options) {
  std::string comment = "kith gen " + options.pattern;
  for (const CLI::Option* const option : app.get_options()) {
    const bool of_file = option->check_name("-o") || option->check_name("--format");
    if (option->get_positional() || option->count() == 0 || of_file) continue;
    comment += " " + option->get_name();
    if (option->get_type_size() > 0) comment += " " + option->results().front();
  }
  return comment;
}

/// The pattern with its noise, without light pairs, in another order: as asked.
std::unique_ptr<Pattern> make_pattern(const Kind& kind, const GenOptions& options) {
  // Looked at before anything is drawn.
  const std::uint64_t order = options.permute ? parse_number(*options.permute, "--permute") : 0;
  auto pattern = add_noise(kind.make(options), options);
  if (options.sparsify) {
    pattern = make_sparse(std::move(pattern), parse_decimal(*options.sparsify, "--sparsify", 1));
  }
  if (options.permute) pattern = make_permuted(std::move(pattern), order);
  return pattern;
}

void run_gen(const CLI::App& app, const GenOptions& options) {
  const Kind& kind = find_kind(options.pattern);
  check_options(kind, app);
  const std::string& path = needed(options.output, "-o", "the file to write");
  const MatrixFormat format = writable_format(path, options.format, "--format");
  const Progress progress("writing " + path);
  const auto pattern = make_pattern(kind, options);
  if (format == MatrixFormat::mtx) {
    stream_mtx(*pattern, path, comment_of(app, options));
  } else {
    write_matrix(path, to_matrix(*pattern), format);
  }
}

void add_pattern_options(CLI::App& app, GenOptions& options) {
  app.add_option("--extents", options.extents,
                 "stencil: ranks along each axis, row-major; leanmd: cells, default 6x6x6")
      ->type_name("128x128|16x16x16");
  app.add_option("--points", options.points,
                 "stencil2d: 5 (default) or 9; stencil3d: 7 (default) "
                 "or 27")
      ->type_name("N");
  app.add_flag("--periodic", options.periodic, "stencil: opposite sides are neighbours");
  auto* const weights =
      app.add_option("--weights", options.weights,
                     "stencil: weight across a face, edge, corner (2D: edge, corner), or one for "
                     "all; default 1; 100,10,1 with 27 points; 10,1 with 9 points")
          ->type_name("F[,E[,C]]");
  app.add_option("--weight", options.weight,
                 "stencil, alltoall, cg, lu: weight of each pair; default 1, of cg and lu 1000")
      ->type_name("W")
      ->excludes(weights);
  app.add_option("--ranks", options.ranks,
                 "geometric, mesh, alltoall, dense, cg, lu: number of ranks (cg, lu: a power of 2)")
      ->type_name("N");
  app.add_option("--scale", options.scale, "rmat: 2^K ranks")->type_name("K");
  app.add_option("--draws", options.draws, "rmat: edges drawn; default 8 per rank")->type_name("M");
  app.add_option("--seed", options.seed, "geometric, mesh, rmat, dense: default 1")->type_name("S");
  app.add_option("--atoms", options.atoms, "leanmd: atoms in each cell, default 140; 24 bytes each")
      ->type_name("N");
  app.add_option("--further", options.further,
                 "leanmd: objects beside cells and pairs, which send nothing; default 0")
      ->type_name("N");
}

}  // namespace

std::function<void()> set_up_gen(CLI::App& app) {
  const auto options = std::make_shared<GenOptions>();
  app.description(
      "Writes the traffic of a made-up program: for trying out mappers and machines without a "
      "run. Each pattern takes the options that name it.");
  app.add_option(
         "PATTERN", options->pattern,
         "stencil2d, stencil3d, geometric (random, within a radius), mesh (unstructured, in "
         "space), rmat (heavy tails), alltoall, dense (random weights), cg, lu (as those of NAS), "
         "leanmd (cells and pairs of cells)")
      ->required()
      ->type_name(pattern_names());
  add_pattern_options(app, *options);
  app.add_option("--permute", options->permute, "Number the ranks at random")->type_name("SEED");
  app.add_option("--noise", options->noise,
                 "Disturb the weights; the additive ones disturb all pairs of ranks")
      ->type_name(
          "gaussian-additive|gaussian-multiplicative|uniform-additive|uniform-multiplicative");
  app.add_option("--noise-level", options->noise_level,
                 "Standard deviation or half width of the noise, added or times the weight; one "
                 "draw per pair, for both directions: drawn for each, their total would spread so "
                 "at sqrt(2) K")
      ->type_name("K");
  app.add_option("--noise-seed", options->noise_seed, "Default 1")->type_name("S");
  app.add_option("--sparsify", options->sparsify,
                 "Keep the pairs whose weight is above F x the heaviest, 0 to 1; after the noise")
      ->type_name("F");
  app.add_option("-o", options->output, "The file to write")->type_name("FILE");
  app.add_option("--format", options->format,
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
      "Each direction of a pair carries the weight given; its total, which metrics sum, is twice "
      "it.\n"
      "A pair is written once and stands for both directions (symmetric).\n"
      "Examples:\n"
      "  kith gen stencil3d --extents 16x16x16 --points 27 -o stencil.mtx\n"
      "  kith gen stencil2d --extents 32x32 --periodic --permute 1 -o shuffled.mtx\n"
      "  kith gen rmat --scale 14 --draws 131072 --seed 3 --permute 1 -o rmat.mtx");
  return [options, &app] { run_gen(app, *options); };
}

}  // namespace kith::tools
