#include "trace/phase_book.hpp"

#include <set>

#include "record/load_clock.hpp"
#include "record/record.hpp"

namespace kith::preload {
namespace {

std::string pack_names(const std::vector<std::string>& names) {
  Packer packer;
  for (const std::string& name : names) packer.put_text(name);
  return packer.take();
}

std::vector<std::string> unpack_names(std::string_view packed) {
  std::vector<std::string> names;
  Unpacker unpacker(packed);
  while (!unpacker.done()) names.emplace_back(unpacker.get_text());
  return names;
}

bool has_news(const std::vector<std::string>& names, const std::vector<std::string>& own) {
  std::vector<std::string> both = names;
  append_new(both, own);
  return both.size() > names.size();
}

}  // namespace

std::vector<std::string> names_of(const std::vector<Phase>& phases) {
  std::vector<std::string> names;
  std::set<std::string_view> known;
  for (const Phase& phase : phases) {
    if (known.insert(phase.name).second) names.push_back(phase.name);
  }
  return names;
}

void append_new(std::vector<std::string>& names, const std::vector<std::string>& more) {
  std::set<std::string> known(names.begin(), names.end());
  for (const std::string& name : more) {
    if (known.insert(name).second) names.push_back(name);
  }
}

std::vector<std::string> agree_on_phases(PrivateComm& private_comm, std::uint32_t rank,
                                         const std::vector<Phase>& own) {
  const std::vector<std::string> own_names = names_of(own);
  std::vector<std::string> agreed;
  for (;;) {
    // In one number: who has news with the lowest rank, and which member that is.
    const std::uint64_t bid =
        has_news(agreed, own_names)
            ? std::uint64_t{rank} << 32 | static_cast<std::uint32_t>(private_comm.rank())
            : UINT64_MAX;
    const std::uint64_t least = private_comm.least(bid);
    if (least == UINT64_MAX) return agreed;
    const std::string packed = least == bid ? pack_names(own_names) : std::string();
    append_new(agreed, unpack_names(private_comm.broadcast_from(
                           static_cast<int>(least & UINT32_MAX), packed)));
  }
}

namespace {

constexpr char first_phase[] = "start";

record::Load difference(const record::Load& later, const record::Load& earlier) {
  // Time inside MPI is partly estimated, afterwards: no stretch may come out negative.
  const auto minus = [](std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; };
  record::Load out{minus(later.outside_ns, earlier.outside_ns),
                   minus(later.inside_ns, earlier.inside_ns), record::Load::unknown,
                   minus(later.wall_ns, earlier.wall_ns)};
  if (later.instructions != record::Load::unknown &&
      earlier.instructions != record::Load::unknown) {
    out.instructions = later.instructions - earlier.instructions;
  }
  return out;
}

}  // namespace

void PhaseBook::close(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  close_locked(name);
  open_.clear();
  closed_as_ = name;
}

void PhaseBook::open(const std::string& next) {
  const std::scoped_lock lock(mutex_);
  if (open_.empty()) open_ = closed_as_.empty() ? first_phase : "after " + closed_as_;
  close_locked(open_);
  open_ = next;
}

std::vector<Phase> PhaseBook::finish(const record::Row& whole, const record::Load& load) {
  const std::scoped_lock lock(mutex_);
  if (phases_.empty()) return {};
  add(open_.empty() ? last_phase : open_, record::difference(whole, closed_),
      difference(load, closed_load_));
  return phases_;
}

void PhaseBook::close_locked(const std::string& name) {
  if (phases_.empty()) closed_load_.instructions = 0;  // counted from the same beginning
  record::Row now = record::row_so_far();
  record::Load load = record::load_so_far();
  const std::chrono::nanoseconds wall = std::chrono::steady_clock::now() - began_;
  load.wall_ns = static_cast<std::uint64_t>(wall.count());
  add(name, record::difference(now, closed_), difference(load, closed_load_));
  closed_ = std::move(now);
  closed_load_ = load;
}

void PhaseBook::add(const std::string& name, const record::Row& row, const record::Load& load) {
  if (phases_.size() == phases_.capacity()) phases_.reserve(2 * phases_.size() + 8);
  const auto [at, is_new] = index_.try_emplace(name, phases_.size());
  if (is_new) {
    phases_.push_back({name, row, load});
  } else {
    record::add_to(phases_[at->second].row, row);
    record::add_to(phases_[at->second].load, load);
  }
  record::phase_event(static_cast<int>(at->second));
}

}  // namespace kith::preload
