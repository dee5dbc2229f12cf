// A kernel of long ago, or a container's filter: some system calls are missing.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace kith {

/// For this process and its children: the calls fail with ENOSYS, and a close() of a descriptor
/// from 4096 on, as by a loop to a limit that no process reaches, kills. False where the kernel
/// refuses.
inline bool forget_system_calls(std::initializer_list<long> missing) {
  const auto load = [](std::size_t offset) {
    return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset));
  };
  const auto end = [](unsigned action) { return sock_filter BPF_STMT(BPF_RET | BPF_K, action); };
  std::vector<sock_filter> program{load(offsetof(seccomp_data, nr))};
  for (const long call : missing) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1));
    program.push_back(end(SECCOMP_RET_ERRNO | ENOSYS));
  }
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close, 0, 3));
  program.push_back(load(offsetof(seccomp_data, args)));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 4096, 0, 1));
  program.push_back(end(SECCOMP_RET_KILL_PROCESS));
  program.push_back(end(SECCOMP_RET_ALLOW));
  sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace kith
