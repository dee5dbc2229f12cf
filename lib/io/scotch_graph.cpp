// Scotch graph files (Scotch user's guide, section on graph files): "0", "vertices arcs",
// "base flags", then for each vertex [label] [load] degree ([load] neighbour) ...; line ends mean
// nothing. Flags: hundreds labels, tens edge loads, units vertex loads.
#include <algorithm>
#include <string>

#include "io/matrix_formats.hpp"
#include "io/undirected.hpp"

namespace kith {
namespace {

/// The words of the file, whatever the lines.
class WordStream {
 public:
  explicit WordStream(LineReader& in) : in_(in), words_({}) {}
  /// Empty at the end of the file.
  std::string_view next() {
    for (;;) {
      const std::string_view word = words_.next();
      if (!word.empty()) return word;
      std::string_view line;
      if (!in_.next(line)) return {};
      words_ = Words(line);
    }
  }
  std::uint64_t count(std::string_view what, std::uint64_t limit = UINT64_MAX) {
    const std::string_view word = next();
    if (word.empty()) throw in_.error(what, "the end of the file");
    return read_count(in_, word, what, limit);
  }
  Weight weight() {
    const std::string_view word = next();
    if (word.empty()) throw in_.error("a weight", "the end of the file");
    return read_weight(in_, word);
  }

 private:
  LineReader& in_;
  Words words_;
};

struct ScotchHeader {
  std::uint32_t vertices = 0;
  std::uint64_t arcs = 0;
  std::uint64_t base = 0;
  bool labels = false;
  bool edge_loads = false;
  bool vertex_loads = false;
  std::size_t arcs_line = 0;
};

ScotchHeader read_header(LineReader& in, WordStream& words) {
  const std::string_view version = words.next();
  if (version != "0") {
    throw bad_input_at(in.file(), std::max<std::size_t>(in.line(), 1),
                       "0, the version of Scotch's graph format",
                       version.empty() ? "an empty file" : in_quotes(version));
  }
  ScotchHeader header;
  const std::string_view vertices = words.next();
  if (vertices.empty()) throw in.error("a number of vertices", "the end of the file");
  header.vertices = read_rank_count(in, vertices, "a number of vertices");
  if (in.bytes() && header.vertices > *in.bytes()) {
    throw in.error("a degree for each vertex, " + std::to_string(header.vertices) + " in all",
                   "a file of " + std::to_string(*in.bytes()) + " bytes");
  }
  header.arcs = words.count("a number of arcs");
  header.arcs_line = in.line();
  header.base = words.count("a base value, 0 or 1", 1);
  const std::string_view flags = words.next();
  if (flags.empty() || flags.size() > 3 ||
      flags.find_first_not_of("0123456789") != std::string_view::npos) {
    throw in.error("three digits of flags (such as 010)", in_quotes(flags));
  }
  const std::string digits = std::string(3 - flags.size(), '0') + std::string(flags);
  header.labels = digits[0] != '0';
  header.edge_loads = digits[1] != '0';
  header.vertex_loads = digits[2] != '0';
  return header;
}

}  // namespace

TrafficMatrix read_scotch_graph(LineReader& in) {
  WordStream words(in);
  const ScotchHeader header = read_header(in, words);
  constexpr std::uint64_t shortest_item = 2;  // "1 "
  UndirectedEdges edges(in, header.vertices, in.at_most(header.arcs, shortest_item), header.base);
  const auto vertex_number = [&](std::string_view what) {
    const std::uint64_t number = words.count(what, header.base + header.vertices - 1);
    if (number < header.base) throw in.error(std::string(what) + " counted from 1", "0");
    return static_cast<std::uint32_t>(number - header.base);
  };
  std::vector<bool> labelled(header.labels ? header.vertices : 0);
  for (std::uint32_t v = 0; v < header.vertices; ++v) {
    std::uint32_t vertex = v;
    if (header.labels) {
      vertex = vertex_number("a vertex label");
      if (labelled[vertex]) {
        throw in.error("each vertex label once", std::to_string(vertex + header.base) + " again");
      }
      labelled[vertex] = true;
    }
    if (header.vertex_loads) words.count("a vertex load");
    const std::uint64_t degree = words.count("a degree", header.vertices - 1);
    edges.begin_vertex(vertex);
    for (std::uint64_t i = 0; i < degree; ++i) {
      const Weight weight = header.edge_loads ? words.weight() : 1;
      edges.add(vertex_number("a vertex number"), weight);
    }
  }
  const std::string_view extra = words.next();
  if (!extra.empty()) throw in.error("nothing after the last vertex", in_quotes(extra));
  TrafficMatrix matrix = edges.build();
  if (edges.arcs() != header.arcs) {
    throw bad_input_at(in.file(), header.arcs_line,
                       std::to_string(edges.arcs()) + " arcs, the sum of all degrees",
                       std::to_string(header.arcs));
  }
  return matrix;
}

void write_scotch_graph(FdWriter& out, const TrafficMatrix& matrix) {
  const TrafficGraph graph = TrafficGraph::from(matrix);
  out.text("0\n");
  out.number(graph.ranks());
  out.put(' ');
  out.number(2 * graph.edges());
  out.text("\n0 010\n");
  for (std::uint32_t v = 0; v < graph.ranks() && out.ok(); ++v) {
    const auto neighbours = graph.neighbours(Rank{v});
    const auto weights = graph.weights(Rank{v});
    out.number(neighbours.size());
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      out.put('\t');
      out.number(weights[i]);
      out.put(' ');
      out.number(neighbours[i].value);
    }
    out.put('\n');
  }
}

}  // namespace kith
