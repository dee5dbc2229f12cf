#include "core/fork_safe_mutex.hpp"

namespace kith {
namespace {

// All that there are, as a list; ready before any of them is made.
constinit std::mutex list_lock;
constinit ForkSafeMutex* first = nullptr;

}  // namespace

ForkSafeMutex::ForkSafeMutex() {
  const std::lock_guard guard(list_lock);
  after_ = first;
  if (first != nullptr) first->before_ = this;
  first = this;
}

ForkSafeMutex::~ForkSafeMutex() {
  const std::lock_guard guard(list_lock);
  if (after_ != nullptr) after_->before_ = before_;
  (before_ != nullptr ? before_->after_ : first) = after_;
}

ForkGuard::ForkGuard() {
  list_lock.lock();
  for (ForkSafeMutex* each = first; each != nullptr; each = each->after_) each->lock();
}

ForkGuard::~ForkGuard() {
  for (ForkSafeMutex* each = first; each != nullptr; each = each->after_) each->unlock();
  list_lock.unlock();
}

}  // namespace kith
