// Mapping files: "# kith mapping ranks=N topology=SPEC hosts=DIGEST", then "rank slot" lines.
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/parse_number.hpp"
#include "io/matrix_formats.hpp"
#include "io/weights.hpp"
#include "kith/io.hpp"

namespace kith {
namespace {

constexpr std::string_view header_start = "# kith mapping";

/// Blanks, control characters and '%' as %XX, so that a value is one word; "-" for nothing.
std::string encoded(std::string_view text) {
  static constexpr char hex[] = "0123456789ABCDEF";
  if (text.empty()) return "-";
  if (text == "-") return "%2D";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7F || c == '%') {
      out += '%';
      out += hex[byte >> 4];
      out += hex[byte & 15];
    } else {
      out += c;
    }
  }
  return out;
}

std::optional<std::string> decoded(const LineReader& in, std::string_view text) {
  if (text == "-") return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned value = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 2 || error != std::errc{} || stop != digits.data() + 2) {
      throw in.error("two hexadecimal digits after %", in_quotes(digits));
    }
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

struct MappingHeader {
  std::optional<std::uint64_t> ranks;
  std::size_t line = 0;
};

void read_header(const LineReader& in, std::string_view line, MappingHeader& header, MappingFile& file) {
  Words words(line.substr(header_start.size()));
  for (auto word = words.next(); !word.empty(); word = words.next()) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos)
      throw in.error("NAME=VALUE in the header", in_quotes(word));
    const std::string_view name = word.substr(0, equals);
    const std::string_view value = word.substr(equals + 1);
    if (name == "ranks") header.ranks = read_count(in, value, "a number of ranks");
    if (name == "topology") file.topology = decoded(in, value);
    if (name == "hosts") file.hosts = decoded(in, value);
  }
  header.line = in.line();
}

struct Line {
  std::uint64_t rank;
  Slot slot;
  std::size_t number;
};

Line read_line(const LineReader& in, std::string_view line) {
  Words words(line);
  const std::uint64_t rank = read_count(in, words.next(), "a rank", max_index_count - 1);
  const std::uint64_t slot = read_count(in, words.next(), "a slot", max_index_count - 1);
  const std::string_view extra = words.next();
  if (!extra.empty() && extra[0] != '#') throw in.error("\"rank slot\"", in_quotes(line));
  return {rank, Slot{static_cast<std::uint32_t>(slot)}, in.line()};
}

}  // namespace

MappingFile read_mapping(const std::filesystem::path& path) {
  LineReader in(path);
  in.limit_lines(LineReader::short_line);
  MappingFile file;
  MappingHeader header;
  std::vector<Line> lines;
  std::string_view text;
  while (in.next(text)) {
    if (text.starts_with(header_start)) {
      if (header.line != 0) {
        throw in.error("one header (line " + std::to_string(header.line) + " has it)", "another");
      }
      read_header(in, text, header, file);
    } else if (!is_blank(text) && Words(text).next()[0] != '#') {
      lines.push_back(read_line(in, text));
    }
  }
  if (lines.empty()) throw bad_input(in.file(), "lines \"rank slot\"", "none");
  if (header.ranks && *header.ranks != lines.size()) {
    throw bad_input_at(in.file(), header.line,
                       "ranks=" + std::to_string(lines.size()) + ", one per line of the file",
                       "ranks=" + std::to_string(*header.ranks));
  }

  file.mapping.slot_of.assign(lines.size(), no_slot);
  std::vector<std::size_t> line_of(lines.size(), 0);
  for (const Line& line : lines) {
    if (line.rank >= lines.size()) {
      throw bad_input_at(in.file(), line.number,
                         "each rank from 0 to " + std::to_string(lines.size() - 1) +
                             " once, as the file has " + std::to_string(lines.size()) + " lines",
                         "rank " + std::to_string(line.rank));
    }
    std::size_t& earlier = line_of[line.rank];
    if (earlier != 0) {
      throw bad_input_at(in.file(), line.number,
                         "each rank once (line " + std::to_string(earlier) + " has this one)",
                         "rank " + std::to_string(line.rank) + " again");
    }
    earlier = line.number;
    file.mapping.slot_of[line.rank] = line.slot;
  }
  return file;
}

namespace {

bool looks_like_a_mapping(const std::filesystem::path& path) {
  if (path.extension() == ".map") return true;
  LineReader in(path);
  in.limit_lines(LineReader::short_line);
  std::string_view text;
  while (in.next(text)) {
    if (text.starts_with(header_start)) return true;
    Words words(text);
    const std::string_view first = words.next();
    if (first.empty() || first[0] == '#') continue;
    const bool pair = parse_unsigned(first) && parse_unsigned(words.next()) && words.next().empty();
    return pair && !format_of_name(path);
  }
  return false;
}

}  // namespace

bool is_mapping_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  try {
    return looks_like_a_mapping(path);
  } catch (const Error&) {
    return false;  // not to be opened, or no text: a program, say, whose trace is meant
  }
}

bool calls_itself_mapping(const std::filesystem::path& path) {
  if (!is_mapping_file(path)) return false;
  if (path.extension() == ".map") return true;
  std::string line;
  std::ifstream in(path);
  return std::getline(in, line) && line.starts_with(header_start);
}

std::optional<std::string> MappingFile::whole_topology() const {
  if (!topology) return std::nullopt;
  return topology->substr(0, topology->find(";slots="));
}

std::string mapping_text(const Mapping& mapping, std::string_view topology,
                         std::string_view hosts) {
  std::string text(header_start);
  text += " ranks=" + std::to_string(mapping.ranks());
  text += " topology=" + encoded(topology);
  text += " hosts=" + encoded(hosts) + "\n";
  for (std::uint32_t r = 0; r < mapping.ranks(); ++r) {
    text += std::to_string(r) + ' ' + std::to_string(mapping[Rank{r}].value) + '\n';
  }
  return text;
}

void write_mapping(const std::filesystem::path& path, const Mapping& mapping,
                   std::string_view topology, std::string_view hosts) {
  write_file_atomically(path, mapping_text(mapping, topology, hosts));
}

}  // namespace kith
