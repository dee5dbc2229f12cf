#include "profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "core/digest.hpp"
#include "core/parse_number.hpp"

namespace kith {
namespace {

namespace fs = std::filesystem;

/// "64M": a number, times 2^10, 2^20 or 2^30.
std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  unsigned shift = 0;
  if (text.ends_with('K')) shift = 10;
  if (text.ends_with('M')) shift = 20;
  if (text.ends_with('G')) shift = 30;
  if (shift != 0) text.remove_suffix(1);
  const auto number = parse_unsigned(text);
  if (!number || *number > (UINT64_MAX >> shift)) return std::nullopt;
  return *number << shift;
}

class Reader {
 public:
  Reader(const Variables& variables, ProfileSettings& settings)
      : variables_(variables), settings_(settings) {}

  std::string text(const char* name) const {
    const char* const value = variables_(name);
    return value == nullptr ? "" : value;
  }

  template <class Parse>
  void number(const char* name, Parse&& parse, std::string_view expected,
              std::uint64_t& out) const {
    const std::string value = text(name);
    if (value.empty()) return;
    const std::optional<std::uint64_t> number = parse(value);
    if (number && *number != 0) {
      out = *number;
    } else {
      warn(name, expected, value, std::to_string(out));
    }
  }

  void arguments(const char* name, std::optional<std::size_t>& out) const {
    const std::string value = text(name);
    if (value.empty() || value == "all") return;
    const auto number = value == "none" ? 0 : parse_unsigned(value);
    if (number) {
      out = *number;
    } else {
      warn(name, "all, none or a number", value, "all");
    }
  }

 private:
  void warn(const char* name, std::string_view expected, std::string_view found,
            std::string_view used) const {
    settings_.warnings.push_back(
        fmt::format("{}: expected {}, found {}; {} is used", name, expected, found, used));
  }

  const Variables& variables_;
  ProfileSettings& settings_;
};

fs::path home_of(const Reader& read) {
  if (const std::string given = read.text("KITH_HOME"); !given.empty()) {
    std::error_code error;
    const fs::path whole = fs::absolute(given, error);
    return error ? fs::path() : whole.lexically_normal();
  }
  // XDG Base Directory Specification: a relative path there is to be ignored.
  const fs::path state = read.text("XDG_STATE_HOME");
  if (state.is_absolute()) return state / "kith";
  const fs::path user = read.text("HOME");
  return user.is_absolute() ? user / ".local/state/kith" : fs::path();
}

}  // namespace

ProfileSettings read_profile_settings(const Variables& variables) {
  ProfileSettings settings;
  const Reader read(variables, settings);
  settings.home = home_of(read);
  settings.name = read.text("KITH_PROFILE");
  read.arguments("KITH_PROFILE_ARGS", settings.arguments);
  read.number("KITH_PROFILE_COUNT", parse_unsigned, "a number of profiles, at least 1",
              settings.most_profiles);
  read.number("KITH_PROFILE_BYTES", parse_bytes, "a size such as 256M", settings.most_bytes);
  return settings;
}

ProfileSettings read_profile_settings() {
  return read_profile_settings([](const char* name) { return std::getenv(name); });
}

namespace {

constexpr std::size_t longest_word = 40;
constexpr std::size_t longest_text = 1000;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("._+-").find(c) != std::string_view::npos;
}

/// A part of a file's name that means nothing to shells, terminals and file systems.
std::string plain_word(std::string_view text) {
  std::string word;
  if (text.empty() || text[0] == '.' || text[0] == '-') word = '_';
  for (const char c : text.substr(0, longest_word)) word += is_plain(c) ? c : '_';
  return word;
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void append(std::string& text, std::string_view more, std::string_view between) {
  if (!text.empty()) text += between;
  text += more;
}

/// Texts of any content, so that no two lists give one digest.
class ListDigest {
 public:
  ListDigest& add(std::string_view text) {
    digest_.add(std::to_string(text.size())).add(":").add(text);
    return *this;
  }
  std::string hex() const { return digest_.hex(); }

 private:
  Digest digest_;
};

constexpr std::size_t most_compared = 64;
constexpr std::size_t digits_of_argument = 12;
constexpr std::size_t no_script = SIZE_MAX;

/// An interpreter's script is what the program is: the first word that is no option.
std::size_t script_position(const ProgramPart& part) {
  static constexpr std::string_view interpreters[] = {"python", "perl",    "ruby", "julia",
                                                      "java",   "Rscript", "R",    "octave",
                                                      "lua",    "bash",    "sh",   "dash"};
  const std::string name = file_name(part.path);
  const bool is_interpreter = std::ranges::any_of(interpreters, [&](std::string_view one) {
    return name == one || (name.starts_with(one) && one.size() > 2 &&
                           name.find_first_not_of("0123456789.", one.size()) == std::string::npos);
  });
  if (!is_interpreter) return no_script;
  const auto script = std::ranges::find_if(
      part.arguments, [](const std::string& word) { return !word.starts_with("-"); });
  return static_cast<std::size_t>(script - part.arguments.begin());
}

/// What is needed to compare the arguments of two runs.
void add_arguments(const ProgramIdentity& identity, const ProfileSettings& settings,
                   ProfileKey& key) {
  ListDigest base;
  for (const ProgramPart& part : identity) {
    const std::size_t count =
        std::min(settings.arguments.value_or(SIZE_MAX), part.arguments.size());
    const std::size_t script = script_position(part);
    base.add(std::to_string(part.ranks)).add(file_name(part.path)).add(std::to_string(count));
    if (script < count) base.add(part.arguments[script]);
    for (std::size_t i = 0; i < count; ++i) {
      key.argument_digests.push_back(
          Digest().add(part.arguments[i]).hex().substr(0, digits_of_argument));
    }
  }
  if (key.argument_digests.empty() || key.argument_digests.size() > most_compared) {
    key.argument_digests.clear();
    return;
  }
  key.base = base.hex();
}

}  // namespace

ProfileKey key_of(const ProgramIdentity& identity, const ProfileSettings& settings) {
  ProfileKey key;
  ListDigest name;
  ListDigest work;
  ListDigest build;
  const bool is_named = !settings.name.empty();
  for (const ProgramPart& part : identity) {
    key.ranks += part.ranks;
    append(key.program, part.path, " : ");
    build.add(part.build);
    if (is_named) continue;
    const std::string ranks = std::to_string(part.ranks);
    name.add(ranks).add(part.path);
    work.add(ranks).add(file_name(part.path));
    const std::size_t count =
        std::min(settings.arguments.value_or(SIZE_MAX), part.arguments.size());
    std::string arguments;
    for (std::size_t i = 0; i < count; ++i) {
      name.add(part.arguments[i]);
      work.add(part.arguments[i]);
      append(arguments, part.arguments[i], " ");
    }
    append(key.arguments, arguments, " : ");
  }
  if (is_named) {
    const std::string ranks = std::to_string(key.ranks);
    name.add("KITH_PROFILE").add(settings.name).add(ranks);
    work.add("KITH_PROFILE").add(settings.name).add(ranks);
  }
  if (!is_named) add_arguments(identity, settings, key);
  key.program.resize(std::min(key.program.size(), longest_text));
  key.arguments.resize(std::min(key.arguments.size(), longest_text));
  key.work = work.hex();
  key.build = build.hex();
  key.name = fmt::format("{}-{}-{}",
                         plain_word(is_named ? settings.name : file_name(identity.front().path)),
                         key.ranks, name.hex().substr(0, 8));
  return key;
}

std::optional<std::vector<std::uint32_t>> differing_arguments(const ProfileKey& known,
                                                              const ProfileKey& run) {
  if (known.base.empty() || known.base != run.base || known.build != run.build ||
      known.ranks != run.ranks || known.argument_digests.size() != run.argument_digests.size()) {
    return std::nullopt;
  }
  std::vector<std::uint32_t> positions;
  for (std::uint32_t i = 0; i < run.argument_digests.size(); ++i) {
    const bool is_free = std::ranges::find(known.free_arguments, i) != known.free_arguments.end();
    if (!is_free && known.argument_digests[i] != run.argument_digests[i]) positions.push_back(i);
  }
  return positions;
}

std::string positions_text(const std::vector<std::uint32_t>& positions) {
  std::string text = positions.size() == 1 ? "argument " : "arguments ";
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (i > 0) text += i + 1 == positions.size() ? " and " : ", ";
    text += std::to_string(positions[i] + 1);
  }
  return text;
}

bool is_profile_name(std::string_view name) {
  return !name.empty() && name.size() < 128 && name[0] != '.' && name[0] != '-' &&
         std::ranges::all_of(name, is_plain);
}

}  // namespace kith
