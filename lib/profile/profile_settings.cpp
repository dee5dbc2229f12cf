#include "profile/profile_settings.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

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

}  // namespace kith
