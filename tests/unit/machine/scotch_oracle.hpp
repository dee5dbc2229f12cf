// Scotch itself, asked what it makes of a target.
#pragma once

#include <cstdio>
// scotch.h needs FILE.
#include <gtest/gtest.h>
#include <scotch.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kith {

/// What Scotch makes of a target: distances between terminals by their numbers.
class ScotchOracle {
 public:
  explicit ScotchOracle(const std::string& text) {
    SCOTCH_archInit(&arch_);
    std::FILE* const file = fmemopen(const_cast<char*>(text.data()), text.size(), "r");
    loaded_ = SCOTCH_archLoad(&arch_, file) == 0;
    std::fclose(file);
    if (!loaded_) return;
    Domain whole = new_domain();
    SCOTCH_archDomFrst(&arch_, whole.get());
    divide(std::move(whole));
  }
  ~ScotchOracle() { SCOTCH_archExit(&arch_); }
  ScotchOracle(const ScotchOracle&) = delete;
  ScotchOracle& operator=(const ScotchOracle&) = delete;

  bool loaded() const { return loaded_; }
  std::size_t size() const { return terminals_.size(); }
  std::vector<SCOTCH_Num> numbers() const {
    std::vector<SCOTCH_Num> list;
    for (const auto& [number, domain] : terminals_) list.push_back(number);
    return list;
  }
  std::uint64_t distance(SCOTCH_Num a, SCOTCH_Num b) {
    return static_cast<std::uint64_t>(
        SCOTCH_archDomDist(&arch_, terminals_.at(a).get(), terminals_.at(b).get()));
  }
  /// The target as Scotch writes it.
  std::string saved() const {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* const stream = open_memstream(&text, &size);
    SCOTCH_archSave(&arch_, stream);
    std::fclose(stream);
    const std::unique_ptr<char, decltype(&std::free)> owner(text, &std::free);
    return {text, size};
  }

 private:
  struct Free {
    void operator()(SCOTCH_ArchDom* domain) const { SCOTCH_memFree(domain); }
  };
  using Domain = std::unique_ptr<SCOTCH_ArchDom, Free>;
  static Domain new_domain() { return Domain(SCOTCH_archDomAlloc()); }

  /// Terminals by bisection: SCOTCH_archDomTerm() of a deco gives another domain than asked for.
  void divide(Domain domain) {
    if (SCOTCH_archDomSize(&arch_, domain.get()) == 1) {
      const SCOTCH_Num number = SCOTCH_archDomNum(&arch_, domain.get());
      terminals_.emplace(number, std::move(domain));
      return;
    }
    Domain left = new_domain();
    Domain right = new_domain();
    ASSERT_EQ(SCOTCH_archDomBipart(&arch_, domain.get(), left.get(), right.get()), 0);
    divide(std::move(left));
    divide(std::move(right));
  }

  SCOTCH_Arch arch_;
  bool loaded_ = false;
  std::map<SCOTCH_Num, Domain> terminals_;
};

}  // namespace kith
