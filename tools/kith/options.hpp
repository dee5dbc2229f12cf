// Options of the command line: each value is parsed when it is read, into the type that the work
// takes. Whatever parses throws Error (input) naming the option. Targets must outlive `app`.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kith::tools {

/// A whole number from `least` to `most`.
std::uint64_t parse_number(std::string_view text, std::string_view option, std::uint64_t least = 0,
                           std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// The same for 32-bit values; the largest of them is not a number but "none".
inline constexpr std::uint64_t most_32 = std::numeric_limits<std::uint32_t>::max() - 1;
std::uint32_t parse_number32(std::string_view text, std::string_view option, std::uint32_t least,
                             std::uint32_t most = most_32);

/// One of `choices`; returns its index. Suggests the nearest.
std::size_t parse_choice(std::string_view text, std::string_view option,
                         const std::vector<std::string>& choices);

/// An option with a value, given at most once: `take` gets the value's text.
CLI::Option* add_value(CLI::App& app, const std::string& name,
                       std::function<void(const std::string& text)> take,
                       const std::string& description);

/// One that may be given again: `take` gets each value, in order.
CLI::Option* add_repeated_value(CLI::App& app, const std::string& name,
                                std::function<void(const std::string& text)> take,
                                const std::string& description);

namespace detail {
template <class Target>
struct Number {
  using Type = Target;
};
template <class Value>
struct Number<std::optional<Value>> {
  using Type = Value;
};
template <class Target>
inline constexpr std::uint64_t most_of = sizeof(typename Number<Target>::Type) ==
                                                 sizeof(std::uint32_t)
                                             ? most_32
                                             : std::numeric_limits<std::uint64_t>::max();
}  // namespace detail

/// A whole number from `least` to `most`; `target` is one of 32 or 64 bits, or an optional one.
template <class Target>
CLI::Option* add_number(CLI::App& app, const std::string& name, Target& target,
                        const std::string& description, std::uint64_t least = 0,
                        std::uint64_t most = detail::most_of<Target>) {
  const auto take = [&target, name, least, most](const std::string& text) {
    target =
        static_cast<typename detail::Number<Target>::Type>(parse_number(text, name, least, most));
  };
  return add_value(app, name, take, description);
}

/// A decimal number from 0 to `most`.
CLI::Option* add_real(CLI::App& app, const std::string& name, std::optional<double>& target,
                      const std::string& description, double most);

/// Seconds, more than 0.
CLI::Option* add_seconds(CLI::App& app, const std::string& name, std::optional<double>& target,
                         const std::string& description);

/// One of several words, each with what it means.
template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

CLI::Option* add_choice_by_index(CLI::App& app, const std::string& name,
                                 const std::vector<std::string>& choices,
                                 std::function<void(std::size_t index)> take,
                                 const std::string& description);

/// The words are the option's type name, too.
template <class Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& target,
                        const std::type_identity_t<Choices<Value>>& choices,
                        const std::string& description) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : choices) words.push_back(word);
  const auto take = [&target, choices](std::size_t index) { target = choices[index].second; };
  return add_choice_by_index(app, name, words, take, description);
}

/// Headings of the help that several subcommands have.
inline constexpr const char* input_group = "Input";
inline constexpr const char* search_group = "Search";
inline constexpr const char* places_group = "Places";
inline constexpr const char* output_group = "Output";

/// Lets the options, which `app` has, stand under `heading`. What is in no group comes last.
void put_in_group(CLI::App& app, const char* heading, std::initializer_list<const char*> options);

}  // namespace kith::tools
