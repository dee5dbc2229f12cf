#include "protocol/settings.hpp"

#include <cstdlib>
#include <optional>
#include <string_view>

#include "core/parse_number.hpp"

namespace kith {
namespace {

/// One variable at a time, with the warning that a bad value earns.
class Reader {
 public:
  explicit Reader(Settings& settings) : settings_(settings) {}

  void text(const char* name, std::string& out) const {
    if (const char* const value = std::getenv(name); value != nullptr && *value != '\0')
      out = value;
  }

  void flag(const char* name, bool& out) const {
    const auto value = get(name);
    if (!value) return;
    if (*value == "1" || *value == "on" || *value == "yes" || *value == "true") {
      out = true;
    } else if (*value == "0" || *value == "off" || *value == "no" || *value == "false") {
      out = false;
    } else {
      warn(name, "1 or 0", *value, out ? "1" : "0");
    }
  }

  /// A name that is read for one more version, where the new one is not set.
  void renamed_flag(const char* name, const char* old_name, bool& out) const {
    if (get(name) || !get(old_name)) return flag(name, out);
    settings_.warnings.push_back(std::string(old_name) + " is now called " + name +
                                 "; the next version reads only that");
    flag(old_name, out);
  }

  void choice(const char* name, std::optional<bool>& out) const {
    const std::size_t before = settings_.warnings.size();
    bool value = false;
    flag(name, value);
    if (get(name) && settings_.warnings.size() == before) out = value;
  }

  void fraction(const char* name, double& out) const {
    const auto value = get(name);
    if (!value) return;
    const bool percent = value->ends_with('%');
    const auto number = parse_decimal(percent ? value->substr(0, value->size() - 1) : *value);
    const double result = number.value_or(-1) * (percent ? 0.01 : 1.0);
    if (!number || result < 0 || result > 1) {
      warn(name, "a share such as 2% or 0.02", *value, "2%");
    } else {
      out = result;
    }
  }

  void level(const char* name, int& out, int most) const {
    const auto value = get(name);
    if (!value) return;
    const auto number = parse_unsigned(*value);
    if (!number || *number > static_cast<unsigned>(most)) {
      warn(name, "0 to " + std::to_string(most), *value, std::to_string(out));
    } else {
      out = static_cast<int>(*number);
    }
  }

  void seconds(const char* name, std::chrono::milliseconds& out, const char* otherwise) const {
    const auto value = get(name);
    if (!value) return;
    const bool unit = value->ends_with('s');
    const auto number = parse_decimal(unit ? value->substr(0, value->size() - 1) : *value);
    constexpr double least = 0.001;
    constexpr double most = 86400;
    if (!number || *number < least || *number > most) {
      warn(name, "seconds, 0.001 to 86400", *value, otherwise);
    } else {
      out = std::chrono::milliseconds(static_cast<long>(*number * 1000 + 0.5));
    }
  }

  void collectives(const char* name, CollectiveSource& out) const {
    const auto value = get(name);
    if (!value) return;
    if (*value == "exact") {
      out = CollectiveSource::exact;
    } else if (*value == "model") {
      out = CollectiveSource::model;
    } else if (*value == "off") {
      out = CollectiveSource::off;
    } else {
      warn(name, "exact, model or off", *value, "the best that the job allows");
    }
  }

  void exact_source(const char* name, bool& by_monitoring) const {
    const auto value = get(name);
    if (!value) return;
    by_monitoring = *value == "monitoring";
    if (!by_monitoring && *value != "table") {
      warn(name, "table or monitoring", *value, "what fits the library");
    }
  }

 private:
  static std::optional<std::string_view> get(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  }

  void warn(const char* name, std::string_view expected, std::string_view found,
            std::string_view used) const {
    std::string message(name);
    message.append(": expected ").append(expected).append(", found ").append(found);
    message.append("; ").append(used).append(" is used");
    settings_.warnings.push_back(std::move(message));
  }

  Settings& settings_;
};

}  // namespace

Settings read_settings() {
  Settings settings;
  const Reader read(settings);
  read.text("KITH_TRACE", settings.trace);
  read.flag("KITH_FORCE", settings.force);
  read.flag("KITH_PARTIAL", settings.partial);
  read.text("KITH_REORDER", settings.reorder);
  read.text("KITH_ALGORITHM", settings.algorithm);
  read.text("KITH_TOPOLOGY", settings.topology);
  read.text("KITH_NETWORK", settings.network);
  read.fraction("KITH_MIN_GAIN", settings.min_gain);
  read.flag("KITH_KEEP_RANK0", settings.keep_rank0);
  read.choice("KITH_KEEP_LOCAL", settings.keep_local);
  read.flag("KITH_CHECK", settings.check);
  read.renamed_flag("KITH_REORDER_TOPOLOGIES", "KITH_TOPOLOGIES", settings.topologies);
  read.collectives("KITH_COLLECTIVES", settings.collectives);
  read.exact_source("KITH_EXACT_SOURCE", settings.exact_by_monitoring);
  read.seconds("KITH_WINDOW", settings.window, "no window");
  read.text("KITH_CHECKPOINT_SIGNAL", settings.checkpoint_signal);
  read.level("KITH_VERBOSE", settings.verbose, 3);
  read.seconds("KITH_BUDGET", settings.budget, "30 s");
  return settings;
}

}  // namespace kith
