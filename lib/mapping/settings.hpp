// Settings given to a mapper. A mapper lists its settings in Mapper::settings() and reads each by
// the same name here; the usual value comes from that list.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "kith/mapper.hpp"

namespace kith {

/// Throws Error (input) for a setting that `mapper` does not have.
void check_settings(const Mapper& mapper, std::span<const SettingValue> given);

/// The settings of one mapper in one call. All throw Error (input) naming "set NAME".
class MapperSettings {
 public:
  MapperSettings(const Mapper& mapper, const MapOptions& options)
      : known_(mapper.settings()), given_(options.settings) {}

  /// As text. Precondition: the mapper lists `name`.
  std::string_view text(std::string_view name) const;
  std::uint64_t number(std::string_view name, std::uint64_t least = 0,
                       std::uint64_t most = UINT64_MAX) const;
  /// A decimal number.
  double real(std::string_view name, double least, double most) const;
  /// "on" or "off".
  bool flag(std::string_view name) const;
  /// The index of the value among `choices`.
  std::size_t choice(std::string_view name, std::initializer_list<std::string_view> choices) const;

 private:
  std::span<const MapperSetting> known_;
  std::span<const SettingValue> given_;
};

}  // namespace kith
