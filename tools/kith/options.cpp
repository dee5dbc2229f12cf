#include "options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <utility>

#include "core/did_you_mean.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"

namespace kith::tools {

std::uint64_t parse_number(std::string_view text, std::string_view option, std::uint64_t least,
                           std::uint64_t most) {
  const auto value = parse_unsigned(text);
  if (value && *value >= least && *value <= most) return *value;
  throw bad_input(option, fmt::format("a whole number from {} to {}", least, most),
                  fmt::format("'{}'", text));
}

std::uint32_t parse_number32(std::string_view text, std::string_view option, std::uint32_t least,
                             std::uint32_t most) {
  return static_cast<std::uint32_t>(parse_number(text, option, least, most));
}

std::size_t parse_choice(std::string_view text, std::string_view option,
                         const std::vector<std::string>& choices) {
  const auto found = std::ranges::find(choices, text);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  throw bad_input(option,
                  fmt::format("one of {}{}", fmt::join(choices, ", "), did_you_mean(text, choices)),
                  fmt::format("'{}'", text));
}

CLI::Option* add_value(CLI::App& app, const std::string& name,
                       std::function<void(const std::string& text)> take,
                       const std::string& description) {
  return app.add_option_function<std::string>(name, take, description);
}

CLI::Option* add_repeated_value(CLI::App& app, const std::string& name,
                                std::function<void(const std::string& text)> take,
                                const std::string& description) {
  const auto take_all = [take](const std::vector<std::string>& values) {
    std::ranges::for_each(values, take);
  };
  return app.add_option_function<std::vector<std::string>>(name, take_all, description)
      ->allow_extra_args(false);
}

CLI::Option* add_real(CLI::App& app, const std::string& name, std::optional<double>& target,
                      const std::string& description, double most) {
  const auto take = [&target, name, most](const std::string& text) {
    target = parse_real(text);
    if (target && *target >= 0 && *target <= most) return;
    throw bad_input(name, fmt::format("a number from 0 to {}", most), fmt::format("'{}'", text));
  };
  return add_value(app, name, take, description);
}

namespace {

/// "1.5", "50ms": in seconds; nothing where it is no time.
std::optional<double> parse_seconds(std::string_view text) {
  // The longer of two endings first.
  static constexpr std::pair<std::string_view, double> units[] = {
      {"us", 1e-6}, {"ms", 1e-3}, {"min", 60}, {"s", 1}, {"h", 3600}};
  for (const auto& [unit, seconds] : units) {
    if (!text.ends_with(unit)) continue;
    const auto number = parse_real(text.substr(0, text.size() - unit.size()));
    return number ? std::optional(*number * seconds) : std::nullopt;
  }
  return parse_real(text);
}

}  // namespace

CLI::Option* add_seconds(CLI::App& app, const std::string& name, std::optional<double>& target,
                         const std::string& description) {
  const auto take = [&target, name](const std::string& text) {
    target = parse_seconds(text);
    if (target && *target > 0) return;
    throw bad_input(name, "a time of more than 0, such as 2, 1.5s, 50ms or 3min",
                    fmt::format("'{}'", text));
  };
  return add_value(app, name, take, description);
}

CLI::Option* add_choice_by_index(CLI::App& app, const std::string& name,
                                 const std::vector<std::string>& choices,
                                 std::function<void(std::size_t index)> take,
                                 const std::string& description) {
  const auto take_word = [name, choices, take](const std::string& text) {
    take(parse_choice(text, name, choices));
  };
  return add_value(app, name, take_word, description)
      ->type_name(fmt::format("{}", fmt::join(choices, "|")));
}

void put_in_group(CLI::App& app, const char* heading, std::initializer_list<const char*> options) {
  for (const char* const name : options) app.get_option(name)->group(heading);
}

}  // namespace kith::tools
