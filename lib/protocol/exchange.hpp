// What a job and its engine process say to each other: a list of named byte strings.
//
//   kith-exchange 1\n
//   NAME SIZE\n BYTES \n      (any number of these; names have no blanks)
//   end\n
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kith {

/// Items keep their order; a name may occur once.
class Exchange {
 public:
  void set(std::string name, std::string bytes);
  /// The item's bytes; nothing when it is absent. Valid until the next set().
  std::optional<std::string_view> get(std::string_view name) const;
  /// The item's bytes, empty when absent.
  std::string text(std::string_view name) const { return std::string(get(name).value_or("")); }

  std::string encode() const;
  /// Nothing when `bytes` is not a whole exchange. Throws std::bad_alloc.
  static std::optional<Exchange> decode(std::string_view bytes);

 private:
  std::vector<std::pair<std::string, std::string>> items_;
};

}  // namespace kith
