// What the message patterns of collectives are described in. No MPI here: the unit tests run all
// ranks in one process.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace kith::record {

/// Refers to a callable that outlives the call it is passed to; owns nothing, allocates nothing.
template <class Signature>
class CallableReference;

template <class Result, class... Parameters>
class CallableReference<Result(Parameters...)> {
 public:
  constexpr CallableReference() = default;  ///< refers to nothing, and may not be called

  template <class Callable>
  requires(!std::same_as<std::remove_cvref_t<Callable>, CallableReference>) CallableReference(
      Callable&& callable)  // NOLINT(google-explicit-constructor): reads as the callable itself
      : target_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* target, Parameters... parameters) -> Result {
          return (*static_cast<std::remove_reference_t<Callable>*>(target))(parameters...);
        }) {}

  /// Whether it refers to something.
  explicit operator bool() const { return call_ != nullptr; }

  Result operator()(Parameters... parameters) const { return call_(target_, parameters...); }

 private:
  void* target_ = nullptr;
  Result (*call_)(void*, Parameters...) = nullptr;
};

/// Called once per message that a rank sends: to a rank of the same communicator (of the remote
/// group where a pattern says so), with the bytes.
using Send = CallableReference<void(int, std::uint64_t)>;

/// The bytes of the block for a rank.
using BytesTo = CallableReference<std::uint64_t(int)>;

/// The rank whose messages are wanted, and the size of its communicator.
struct Place {
  int size;
  int rank;

  int next(int distance) const { return (rank + distance) % size; }
  int previous(int distance) const { return (rank - distance + size) % size; }
};

/// Position relative to the root, and back.
struct Relative {
  int size;
  int root;
  int of(int rank) const { return (rank - root + size) % size; }
  int rank(int position) const { return (position + root) % size; }
};

/// A number of equal elements: what algorithms may cut, and where.
struct Payload {
  std::int64_t count;     ///< elements
  std::uint64_t element;  ///< bytes of one

  std::uint64_t bytes() const { return bytes_of(count); }
  std::uint64_t bytes_of(std::int64_t elements) const {
    return static_cast<std::uint64_t>(elements) * element;
  }
};

/// The caller's array of counts: of ints or, in calls with large counts, of 64 bits. Refers to it.
class Counts {
 public:
  Counts() = default;                            ///< no array
  Counts(const int* counts) : short_(counts) {}  // NOLINT(google-explicit-constructor)
  template <std::integral Large>
  requires(sizeof(Large) == sizeof(std::int64_t))
      Counts(const Large* counts)  // NOLINT(google-explicit-constructor): as the one above
      : long_(counts), at_long_([](const void* array, int i) -> std::int64_t {
          return static_cast<const Large*>(array)[i];
        }) {}

  std::int64_t operator[](int i) const { return short_ ? short_[i] : at_long_(long_, i); }
  explicit operator bool() const { return short_ != nullptr || long_ != nullptr; }

 private:
  const int* short_ = nullptr;
  const void* long_ = nullptr;
  std::int64_t (*at_long_)(const void*, int) = nullptr;
};

/// One block of elements per rank: all equal, or as many as the caller's array says. Refers to that
/// array, whose length is the size of the communicator.
class Blocks {
 public:
  Blocks(std::int64_t count, std::uint64_t element) : equal_(count), element_(element) {}
  Blocks(Counts counts, std::uint64_t element) : counts_(counts), element_(element) {}

  std::int64_t count(int rank) const { return counts_ ? counts_[rank] : equal_; }
  std::uint64_t bytes(int rank) const { return static_cast<std::uint64_t>(count(rank)) * element_; }
  /// Elements of the ranks first, ..., last - 1.
  std::int64_t count(int first, int last) const {
    if (last <= first) return 0;
    if (!counts_) return equal_ * (last - first);
    std::int64_t sum = 0;
    for (int i = first; i < last; ++i) sum += counts_[i];
    return sum;
  }
  std::uint64_t bytes(int first, int last) const {
    return static_cast<std::uint64_t>(count(first, last)) * element_;
  }
  std::uint64_t element() const { return element_; }
  /// Whether the caller's array says how many.
  bool are_listed() const { return static_cast<bool>(counts_); }

 private:
  Counts counts_;
  std::int64_t equal_ = 0;
  std::uint64_t element_;
};

/// `count` elements cut into `parts` as evenly as elements allow, the first parts larger.
struct EvenParts {
  std::int64_t count;
  int parts;
  std::int64_t of(std::int64_t part) const {
    return count / parts + (part < count % parts ? 1 : 0);
  }
};

inline bool is_power_of_two(int n) {
  return n > 0 && (n & (n - 1)) == 0;
}

/// The largest power of two that is not above n (n >= 1).
inline int power_of_two_within(int n) {
  int power = 1;
  while (power <= n / 2) power *= 2;
  return power;
}

/// The largest multiple of a power of two that is not above n: where n's subtree begins.
inline int subtree_begin(int n, int power) {
  return n & ~(power - 1);
}

/// Ranks beyond the largest power of two ("extra" of them) are folded into the first 2 x extra
/// ranks: of each such pair one takes part in the power-of-two core, the other stands aside.
struct Folded {
  enum class Keeps : std::uint8_t { even, odd };  ///< which one of a pair takes part

  Folded(const Place& place, Keeps keeps)
      : core(power_of_two_within(place.size)), extra(place.size - core), keeps_(keeps) {}

  /// Position of `rank` in the core, or -1.
  int position(int rank) const {
    if (rank >= 2 * extra) return rank - extra;
    return rank % 2 == (keeps_ == Keeps::odd ? 1 : 0) ? rank / 2 : -1;
  }
  int rank(int position) const {
    if (position >= extra) return position + extra;
    return 2 * position + (keeps_ == Keeps::odd ? 1 : 0);
  }

  int core;
  int extra;

 private:
  Keeps keeps_;
};

}  // namespace kith::record
