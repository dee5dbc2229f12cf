// The list of mappers, one file each, and how a mapper reads its settings.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "kith/mapper.hpp"

namespace kith {

const Mapper& identity_mapper();
const Mapper& random_mapper();
const Mapper& scatter_mapper();
const Mapper& compact_mapper();
const Mapper& balanced_mapper();
const Mapper& eagermap_mapper();
const Mapper& eagermap_load_mapper();
const Mapper& treematch_mapper();
const Mapper& choicemap_mapper();
const Mapper& topolb_mapper();
const Mapper& topolb_first_order_mapper();
const Mapper& topolb_third_order_mapper();
const Mapper& topocentlb_mapper();
const Mapper& geom_mapper();
const Mapper& gsearch_mapper();
const Mapper& gsearch_rank_mapper();
const Mapper& gsearch_best_mapper();
const Mapper& mpipp_mapper();
const Mapper& scotch_mapper();
const Mapper& kith_mapper();
const Mapper& auto_mapper();

// Settings given to a mapper. A mapper lists its settings in Mapper::settings() and reads each by
// the same name here; the usual value comes from that list.

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
