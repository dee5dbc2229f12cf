// What a program touches, told ahead and seen: the code of a child is executed step by step, and
// every some steps what ComingAccesses tells is compared with the accesses of the steps that
// follow. The child is a fork: its code lies where ours does.
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "sharing/coming_accesses.hpp"

namespace {

struct Access {
  std::uintptr_t address;
  bool is_write;
  bool operator==(const Access&) const = default;
};

/// Of all kinds: sums, stencils, sorting, strings, tables.
double work() {
  std::vector<double> a(500), b(500);
  std::iota(a.begin(), a.end(), 1.0);
  for (int round = 0; round < 4; ++round) {
    for (std::size_t i = 1; i + 1 < a.size(); ++i)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
    std::copy(b.begin(), b.end(), a.begin());
  }
  std::vector<int> numbers(300);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7919 % 503);
  std::sort(numbers.begin(), numbers.end());
  std::map<std::string, int> names;
  for (int i = 0; i < 40; ++i) names["name " + std::to_string(i * 31 % 17)] += i;
  char text[200];
  std::snprintf(text, sizeof text, "%s %g %d", names.begin()->first.c_str(), a[77], numbers[150]);
  double sum = static_cast<double>(std::strlen(text)) + std::sin(a[3]);
  float matrix[12][12] = {};
  for (auto& row : matrix) {
    for (auto& cell : row) cell = static_cast<float>(sum += 1);
  }
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) {
      for (int k = 0; k < 12; ++k) sum += static_cast<double>(matrix[i][k] * matrix[k][j]);
    }
  }
  return sum;
}

std::array<std::uint64_t, 16> registers_of(const user_regs_struct& r) {
  return {r.rax, r.rcx, r.rdx, r.rbx, r.rsp, r.rbp, r.rsi, r.rdi,
          r.r8,  r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15};
}

struct Prediction {
  std::uintptr_t code;
  std::vector<Access> accesses;
  std::size_t seen = 0;
};

struct Counts {
  long steps = 0, predictions = 0, foretold = 0, wrong = 0;
};

void see(std::vector<Prediction>& open, const Access& access, Counts& counts) {
  for (Prediction& one : open) {
    if (one.seen == one.accesses.size()) continue;
    if (one.accesses[one.seen] == access) {
      ++one.seen;
      ++counts.foretold;
      continue;
    }
    if (++counts.wrong < 10) {
      std::printf("told at %zx, access %zu: %zx %d, seen %zx %d\n", one.code, one.seen,
                  one.accesses[one.seen].address, one.accesses[one.seen].is_write, access.address,
                  access.is_write);
    }
    one.accesses.resize(one.seen);
  }
  std::erase_if(open, [](const Prediction& one) { return one.seen == one.accesses.size(); });
}

Counts follow(pid_t child) {
  Counts counts;
  std::vector<Prediction> open;
  int status = 0;
  while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
    user_regs_struct now{};
    ptrace(PTRACE_GETREGS, child, nullptr, &now);
    const auto registers = registers_of(now);
    if (counts.steps++ % 23 == 0) {
      Prediction told{now.rip, {}};
      const auto note = [&](std::uintptr_t address, bool is_write) {
        told.accesses.push_back({address, is_write});
      };
      kith::sharing::ComingAccesses(now.rip, registers).for_each(note, [] { return true; });
      if (!told.accesses.empty()) open.push_back(told);
      ++counts.predictions;
    }
    const auto instruction = kith::sharing::decode(reinterpret_cast<const std::uint8_t*>(now.rip));
    if (instruction.memory) {
      see(open,
          {address_of(*instruction.memory, instruction, registers, now.rip), instruction.writes},
          counts);
    }
    if (instruction.also)
      see(open, {address_of(*instruction.also, instruction, registers, now.rip), false}, counts);
    ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr);
  }
  return counts;
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  [[maybe_unused]] volatile double result = work();  // what is bound late is bound now
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    raise(SIGSTOP);
    result = work();
    _exit(0);
  }
  const Counts counts = follow(child);
  std::printf("%ld steps, %ld predictions, %ld accesses foretold, %ld wrong\n", counts.steps,
              counts.predictions, counts.foretold, counts.wrong);
  return counts.steps > 10000 && counts.foretold > counts.steps / 10 ? 0 : 1;
}
