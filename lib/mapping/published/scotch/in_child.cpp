#include "mapping/published/scotch/in_child.hpp"

#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include "core/child_process.hpp"
#include "kith/error.hpp"

namespace kith::scotch {
namespace {

// A message's first byte: an answer, or what kind of error the rest is the text of.
constexpr char answer_mark = 'a';
constexpr char error_mark = '0';

std::string packed(const Answer& answer) {
  std::string message(1 + answer.size() * sizeof(std::uint32_t), answer_mark);
  if (!answer.empty()) std::memcpy(message.data() + 1, answer.data(), message.size() - 1);
  return message;
}

std::string packed(ErrorKind kind, std::string_view text) {
  return static_cast<char>(error_mark + static_cast<int>(kind)) + std::string(text);
}

/// Throws where the message is an error.
Answer unpacked(const std::string& message) {
  if (message.front() != answer_mark) {
    throw Error(static_cast<ErrorKind>(message.front() - error_mark), message.substr(1));
  }
  Answer answer((message.size() - 1) / sizeof(std::uint32_t));
  if (!answer.empty()) std::memcpy(answer.data(), message.data() + 1, message.size() - 1);
  return answer;
}

void work_and_send(const std::function<void(const Report&)>& work, const SendToParent& send) {
  try {
    work([&send](const Answer& answer) { send(packed(answer)); });
  } catch (const Error& error) {
    send(packed(error.kind(), error.what()));
  } catch (const std::bad_alloc&) {
    send(packed(ErrorKind::environment, "Scotch: not enough memory"));
  } catch (const std::exception& error) {
    send(packed(ErrorKind::internal, error.what()));
  }
}

std::optional<Answer> in_this_process(const std::function<void(const Report&)>& work) {
  std::optional<Answer> last;
  work([&last](const Answer& answer) { last = answer; });
  return last;
}

}  // namespace

std::optional<Answer> in_child(Budget* budget, const std::function<void(const Report&)>& work) {
  const auto is_late = [budget] { return budget != nullptr && budget->is_out_of_time(); };
  if (is_late()) return std::nullopt;
  const ChildEnd end =
      run_in_child([&work](const SendToParent& send) { work_and_send(work, send); }, is_late);
  if (end.how == ChildEnd::How::not_started) return in_this_process(work);
  if (end.how == ChildEnd::How::crashed) {
    throw environment_error(
        "Scotch ended " + (end.signal != 0 ? "by signal " + std::to_string(end.signal) : "early") +
        ", perhaps for want of memory");
  }
  if (end.message.empty()) return std::nullopt;
  return unpacked(end.message);
}

}  // namespace kith::scotch
