#include "profile/profile.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/digest.hpp"
#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "io/atomic_file.hpp"
#include "io/format/mtx_writer.hpp"
#include "io/matrix_formats.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

// The comment has a line for each of these, in this order; the last is over all others and the
// matrix.
constexpr std::string_view mark = "kith profile";
// Version 1 has bytes alone, no seconds; version 2 does not know slower runs, version 3 no
// arguments one by one, version 4 not how much runs sent,
// version 5 only of the last one.
constexpr std::uint64_t version = 6;
constexpr std::string_view nothing = "-";

/// Text that ends with its line.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

std::string real_text(const std::optional<double>& number) {
  if (!number) return std::string(nothing);
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *number);
  return {digits.data(), end.ptr};
}

/// Words with blanks between them; "-" for none.
template <class Values, class Text>
std::string list_text(const Values& values, Text&& text) {
  std::string list;
  for (const auto& value : values) list.append(list.empty() ? "" : " ").append(text(value));
  return list.empty() ? std::string(nothing) : list;
}

/// All lines but the check, without the "% " that a comment begins with.
std::string about(const Profile& profile) {
  const ProfileKey& key = profile.key;
  const ProfileHistory& history = profile.history;
  std::string text;
  const auto line = [&](std::string_view name, const std::string& value) {
    text.append(name).append(" ").append(one_line(value)).append("\n");
  };
  line(mark, std::to_string(version));
  line("name", key.name);
  line("program", key.program);
  line("arguments", key.arguments);
  line("work", key.work);
  line("build", key.build);
  line("ranks", std::to_string(key.ranks));
  line("runs", std::to_string(history.runs));
  line("reordered", std::to_string(history.reordered));
  line("renewed", std::to_string(history.renewed));
  line("first_seen", std::to_string(history.first_seen));
  line("last_seen", std::to_string(history.last_seen));
  line("predicted", real_text(history.predicted));
  line("measured", real_text(history.measured));
  line("seconds", real_text(history.seconds));
  line("seconds_reordered", real_text(history.seconds_reordered));
  line("layout", history.layout.empty() ? std::string(nothing) : history.layout);
  line("slower", std::to_string(history.slower));
  line("waited", std::to_string(history.waited));
  line("base", key.base.empty() ? std::string(nothing) : key.base);
  line("argument_digests",
       list_text(key.argument_digests, [](const std::string& one) { return one; }));
  line("free_arguments",
       list_text(key.free_arguments, [](std::uint32_t one) { return std::to_string(one); }));
  line("bytes", std::to_string(history.bytes));
  line("bytes_reordered", std::to_string(history.bytes_reordered));
  return text;
}

std::string check_of(std::string_view about, const TrafficMatrix& matrix) {
  Digest digest;
  const auto add = [&](std::uint64_t number) {
    std::array<char, 8> bytes;
    for (char& byte : bytes) {
      byte = static_cast<char>(number & 0xFFU);
      number >>= 8U;
    }
    digest.add({bytes.data(), bytes.size()});
  };
  digest.add(about);
  add(matrix.ranks());
  for (std::uint32_t r = 0; r < matrix.ranks(); ++r) {
    const auto destinations = matrix.destinations(Rank(r));
    add(destinations.size());
    for (std::size_t k = 0; k < destinations.size(); ++k) {
      add(destinations[k].value);
      add(matrix.weights(Rank(r))[k]);
    }
  }
  return digest.hex();
}

/// The comment of a profile, line by line.
class About {
 public:
  explicit About(LineReader& in) : in_(in), rest_(in.head()) { take("%%MatrixMarket"); }

  std::string text(std::string_view name) {
    std::string value(take("% " + std::string(name)));
    text_.append(name).append(" ").append(value).append("\n");
    return value;
  }
  std::uint64_t number(std::string_view name, std::uint64_t most = UINT64_MAX) {
    const std::string value = text(name);
    const auto number = parse_unsigned(value);
    if (!number || *number > most) throw in_.error(std::string(name) + " as a number", value);
    return *number;
  }
  std::optional<double> real(std::string_view name) {
    const std::string value = text(name);
    if (value == nothing) return std::nullopt;
    const auto number = parse_real(value);
    if (!number || *number < 0) throw in_.error(std::string(name) + " as a number", value);
    return number;
  }
  std::vector<std::string> list(std::string_view name) {
    const std::string value = text(name);
    std::vector<std::string> words;
    if (value == nothing) return words;
    for (const std::string_view word : split(value, ' ')) words.emplace_back(word);
    return words;
  }
  /// Over the lines so far and `matrix`.
  bool holds(const std::string& check, const TrafficMatrix& matrix) const {
    return check_of(text_, matrix) == check;
  }
  std::string check() { return std::string(take("% check")); }
  /// Behind the check: whether the matrix that follows says it is of `ranks` ranks.
  bool is_followed_by(std::uint32_t ranks) const {
    const std::string number = std::to_string(ranks) + " ";
    return rest_.starts_with(number + number);
  }

 private:
  std::string_view take(const std::string& beginning) {
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    if (end == std::string_view::npos || !line.starts_with(beginning + " ")) {
      throw in_.error("a profile, with a line \"" + beginning + "\"", in_quotes(line));
    }
    rest_.remove_prefix(end + 1);
    return line.substr(beginning.size() + 1);
  }

  LineReader& in_;
  std::string_view rest_;
  std::string text_;
};

ProfileHeader read_about(About& about, const LineReader& in) {
  const std::string found = about.text(mark);
  const std::uint64_t found_version = parse_unsigned(found).value_or(0);
  if (found_version == 0 || found_version > version) {
    throw in.error("a profile of version 1 to " + std::to_string(version), found);
  }
  ProfileHeader header;
  ProfileKey& key = header.key;
  key.name = about.text("name");
  key.program = about.text("program");
  key.arguments = about.text("arguments");
  key.work = about.text("work");
  key.build = about.text("build");
  key.ranks = static_cast<std::uint32_t>(about.number("ranks", max_index_count));
  ProfileHistory& history = header.history;
  history.runs = about.number("runs");
  history.reordered = about.number("reordered");
  history.renewed = about.number("renewed");
  history.first_seen = about.number("first_seen");
  history.last_seen = about.number("last_seen");
  history.predicted = about.real("predicted");
  history.measured = about.real("measured");
  if (found_version == 1) return header;
  history.seconds = about.real("seconds");
  history.seconds_reordered = about.real("seconds_reordered");
  history.layout = about.text("layout");
  if (found_version == 2) return header;
  history.slower = about.number("slower");
  history.waited = about.number("waited");
  if (found_version == 3) return header;
  key.base = about.text("base");
  if (key.base == nothing) key.base.clear();
  key.argument_digests = about.list("argument_digests");
  for (const std::string& word : about.list("free_arguments")) {
    const auto position = parse_unsigned(word);
    if (!position || *position >= key.argument_digests.size()) {
      throw in.error("free_arguments as positions of arguments", word);
    }
    key.free_arguments.push_back(static_cast<std::uint32_t>(*position));
  }
  if (found_version == 4) return header;
  history.bytes = history.bytes_reordered = about.number("bytes");
  if (found_version > 5) history.bytes_reordered = about.number("bytes_reordered");
  return header;
}

/// Opening a pipe would wait for ever.
const std::filesystem::path& regular(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw bad_input(path.string(), "a regular file", "something else");
  }
  return path;
}

}  // namespace

void write_profile(const std::filesystem::path& path, const Profile& profile) {
  const std::string text = about(profile);
  const TrafficMatrix& matrix = profile.traffic;
  AtomicFile file(path);
  MtxWriter out(file.fd(), matrix.ranks(), matrix.entries(), MtxSymmetry::general,
                text + "check " + check_of(text, matrix));
  for (std::uint32_t r = 0; r < matrix.ranks(); ++r) {
    const auto destinations = matrix.destinations(Rank(r));
    for (std::size_t k = 0; k < destinations.size(); ++k) {
      out.entry(r, destinations[k].value, matrix.weights(Rank(r))[k]);
    }
  }
  if (!out.finish()) file.fail(out.error());
  file.commit();
}

Profile read_profile(const std::filesystem::path& path, std::uint32_t ranks) {
  LineReader in(regular(path));
  About about(in);
  ProfileHeader header = read_about(about, in);
  const std::string check = about.check();
  const Error changed = bad_input(in.file(), "a profile as it was written", "a changed one");
  // Memory is taken for as many ranks as the matrix says.
  if (header.key.ranks != ranks || !about.is_followed_by(ranks)) throw changed;
  Profile profile{std::move(header.key), header.history, read_mtx(in)};
  if (!about.holds(check, profile.traffic)) throw changed;
  return profile;
}

ProfileHeader read_profile_header(const std::filesystem::path& path) {
  LineReader in(regular(path));
  About about(in);
  return read_about(about, in);
}

}  // namespace kith
