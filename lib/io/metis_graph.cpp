// METIS graph files (METIS manual, section 4.5): a header "n m [fmt [ncon]]", then the list of each
// vertex on its own line; a vertex without neighbours has an empty line.
#include <string>

#include "io/matrix_formats.hpp"
#include "io/undirected.hpp"

namespace kith {
namespace {

struct MetisHeader {
  std::uint32_t vertices = 0;
  std::uint64_t edges = 0;
  bool vertex_sizes = false;
  bool edge_weights = false;
  std::uint64_t vertex_weights = 0;  ///< how many per vertex
};

/// The next line that is no comment; empty lines mean something.
bool next_line(LineReader& in, std::string_view& line) {
  while (in.next(line)) {
    if (line.empty() || line[0] != '%') return true;
  }
  return false;
}

MetisHeader read_header(LineReader& in) {
  std::string_view line;
  const std::size_t longest_row = in.limit_lines(LineReader::short_line);
  if (!next_line(in, line)) throw bad_input(in.file(), "a header \"n m [fmt [ncon]]\"", "nothing");
  in.limit_lines(longest_row);
  Words words(line);
  MetisHeader header;
  header.vertices = read_rank_count(in, words.next(), "a number of vertices");
  header.edges = read_count(in, words.next(), "a number of edges", UINT64_MAX / 2);

  const std::string_view format = words.next();
  if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos) {
    throw in.error("a format of up to three digits 0 or 1 (such as 1, 11 or 011)",
                   in_quotes(format));
  }
  const std::string digits = std::string(3 - format.size(), '0') + std::string(format);
  header.vertex_sizes = digits[0] == '1';
  header.vertex_weights = digits[1] == '1' ? 1 : 0;
  header.edge_weights = digits[2] == '1';

  const std::string_view constraints = words.next();
  if (!constraints.empty()) {
    const std::uint64_t count = read_count(in, constraints, "a number of weights per vertex");
    if (count > 0 && header.vertex_weights == 0) {
      throw in.error("a format with vertex weights where their number is given", in_quotes(format));
    }
    if (header.vertex_weights != 0 && count > 0) header.vertex_weights = count;
  }
  expect_line_end(in, words);
  if (in.bytes() && header.vertices > *in.bytes()) {
    throw in.error("a line for each vertex, " + std::to_string(header.vertices) + " in all",
                   "a file of " + std::to_string(*in.bytes()) + " bytes");
  }
  return header;
}

void read_vertex(const LineReader& in, const MetisHeader& header, std::string_view line,
                 UndirectedEdges& edges) {
  Words words(line);
  const std::uint64_t loads = header.vertex_weights + (header.vertex_sizes ? 1 : 0);
  for (std::uint64_t i = 0; i < loads; ++i) read_count(in, words.next(), "a weight of the vertex");
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    const std::uint64_t neighbour = read_count(in, word, "a vertex number", header.vertices);
    if (neighbour == 0) throw in.error("a vertex number counted from 1", "0");
    const Weight weight = header.edge_weights ? read_weight(in, words.next()) : 1;
    edges.add(static_cast<std::uint32_t>(neighbour - 1), weight);
  }
}

}  // namespace

TrafficMatrix read_metis_graph(LineReader& in) {
  const MetisHeader header = read_header(in);
  const std::size_t header_line = in.line();
  constexpr std::uint64_t shortest_item = 2;  // "1 "
  UndirectedEdges edges(in, header.vertices, in.at_most(2 * header.edges, shortest_item), 1);
  std::string_view line;
  for (std::uint32_t v = 0; v < header.vertices; ++v) {
    if (!next_line(in, line)) {
      throw in.error(std::to_string(header.vertices) + " vertex lines as line " +
                         std::to_string(header_line) + " says",
                     std::to_string(v) + " at the end of the file");
    }
    edges.begin_vertex(v);
    read_vertex(in, header, line, edges);
  }
  while (next_line(in, line)) {
    if (!is_blank(line)) throw in.error("nothing after the last vertex", in_quotes(line));
  }
  TrafficMatrix matrix = edges.build();
  if (edges.arcs() != 2 * header.edges) {
    throw bad_input_at(in.file(), header_line,
                       "one edge for each two neighbours that the vertices list (" +
                           std::to_string(edges.arcs()) + " neighbours)",
                       std::to_string(header.edges) + " edges");
  }
  return matrix;
}

void write_metis_graph(FdWriter& out, const TrafficMatrix& matrix) {
  const TrafficGraph graph = TrafficGraph::from(matrix);
  out.number(graph.ranks());
  out.put(' ');
  out.number(graph.edges());
  out.text(" 001\n");
  for (std::uint32_t v = 0; v < graph.ranks() && out.ok(); ++v) {
    const auto neighbours = graph.neighbours(Rank{v});
    const auto weights = graph.weights(Rank{v});
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (i > 0) out.put(' ');
      out.number(std::uint64_t{neighbours[i].value} + 1);
      out.put(' ');
      out.number(weights[i]);
    }
    out.put('\n');
  }
}

}  // namespace kith
