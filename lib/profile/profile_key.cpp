#include "profile/profile_key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/digest.hpp"

namespace kith {
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
  key.program.resize(std::min(key.program.size(), longest_text));
  key.arguments.resize(std::min(key.arguments.size(), longest_text));
  key.work = work.hex();
  key.build = build.hex();
  key.name = fmt::format("{}-{}-{}",
                         plain_word(is_named ? settings.name : file_name(identity.front().path)),
                         key.ranks, name.hex().substr(0, 8));
  return key;
}

bool is_profile_name(std::string_view name) {
  return !name.empty() && name.size() < 128 && name[0] != '.' && name[0] != '-' &&
         std::ranges::all_of(name, is_plain);
}

}  // namespace kith
