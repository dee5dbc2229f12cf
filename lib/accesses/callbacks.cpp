// The functions that compilers call for -fsanitize=thread: GCC's gcc/sanitizer.def, LLVM's
// tsan_interface.h. Here an access is noted and, where the compiler leaves that to us (atomics),
// done.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "accesses/sharing.hpp"

#define CALLBACK extern "C" __attribute__((visibility("default")))

using kith::accesses::note_read;
using kith::accesses::note_write;

CALLBACK void __tsan_init() {}
CALLBACK void __tsan_func_entry(void*) {}
CALLBACK void __tsan_func_exit() {}
CALLBACK void __tsan_acquire(void*) {}
CALLBACK void __tsan_release(void*) {}
CALLBACK void __tsan_ignore_thread_begin() {}
CALLBACK void __tsan_ignore_thread_end() {}

#define ACCESSES(size)                                                 \
  CALLBACK void __tsan_read##size(void* address) {                     \
    note_read(address, size);                                          \
  }                                                                    \
  CALLBACK void __tsan_write##size(void* address) {                    \
    note_write(address, size);                                         \
  }                                                                    \
  CALLBACK void __tsan_read_write##size(void* address) {               \
    note_write(address, size);                                         \
  }                                                                    \
  CALLBACK void __tsan_volatile_read##size(void* address) {            \
    note_read(address, size);                                          \
  }                                                                    \
  CALLBACK void __tsan_volatile_write##size(void* address) {           \
    note_write(address, size);                                         \
  }                                                                    \
  CALLBACK void __tsan_unaligned_read##size(void* address) {           \
    note_read(address, size);                                          \
  }                                                                    \
  CALLBACK void __tsan_unaligned_write##size(void* address) {          \
    note_write(address, size);                                         \
  }                                                                    \
  CALLBACK void __tsan_unaligned_read_write##size(void* address) {     \
    note_write(address, size);                                         \
  }                                                                    \
  CALLBACK void __tsan_unaligned_volatile_read##size(void* address) {  \
    note_read(address, size);                                          \
  }                                                                    \
  CALLBACK void __tsan_unaligned_volatile_write##size(void* address) { \
    note_write(address, size);                                         \
  }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
#undef ACCESSES

CALLBACK void __tsan_read_range(void* address, std::size_t size) {
  note_read(address, size);
}
CALLBACK void __tsan_write_range(void* address, std::size_t size) {
  note_write(address, size);
}
// What newer versions of LLVM make of memcpy() and its relatives.
CALLBACK void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  note_read(from, size);
  note_write(to, size);
  return std::memcpy(to, from, size);
}
CALLBACK void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  note_read(from, size);
  note_write(to, size);
  return std::memmove(to, from, size);
}
CALLBACK void* __tsan_memset(void* to, int value, std::size_t size) {
  note_write(to, size);
  return std::memset(to, value, size);
}
CALLBACK void __tsan_vptr_update(void** address, void*) {
  note_write(address, sizeof *address);
}
CALLBACK void __tsan_vptr_read(void** address) {
  note_read(address, sizeof *address);
}

CALLBACK void __tsan_atomic_thread_fence(int) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
CALLBACK void __tsan_atomic_signal_fence(int) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

// The strongest order is right for all.
#define FETCH(bits, name, builtin)                                             \
  CALLBACK std::uint##bits##_t __tsan_atomic##bits##_fetch_##name(             \
      volatile std::uint##bits##_t* address, std::uint##bits##_t value, int) { \
    note_write(address, sizeof *address);                                      \
    return builtin(address, value, __ATOMIC_SEQ_CST);                          \
  }
#define ATOMICS(bits)                                                                             \
  CALLBACK std::uint##bits##_t __tsan_atomic##bits##_load(                                        \
      const volatile std::uint##bits##_t* address, int) {                                         \
    note_read(address, sizeof *address);                                                          \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                            \
  }                                                                                               \
  CALLBACK void __tsan_atomic##bits##_store(volatile std::uint##bits##_t* address,                \
                                            std::uint##bits##_t value, int) {                     \
    note_write(address, sizeof *address);                                                         \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                           \
  }                                                                                               \
  CALLBACK std::uint##bits##_t __tsan_atomic##bits##_exchange(                                    \
      volatile std::uint##bits##_t* address, std::uint##bits##_t value, int) {                    \
    note_write(address, sizeof *address);                                                         \
    return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                 \
  }                                                                                               \
  CALLBACK int __tsan_atomic##bits##_compare_exchange_strong(                                     \
      volatile std::uint##bits##_t* address, std::uint##bits##_t* expected,                       \
      std::uint##bits##_t value, int, int) {                                                      \
    note_write(address, sizeof *address);                                                         \
    return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST,         \
                                       __ATOMIC_SEQ_CST);                                         \
  }                                                                                               \
  CALLBACK int __tsan_atomic##bits##_compare_exchange_weak(volatile std::uint##bits##_t* address, \
                                                           std::uint##bits##_t* expected,         \
                                                           std::uint##bits##_t value, int, int) { \
    return __tsan_atomic##bits##_compare_exchange_strong(address, expected, value, 0, 0);         \
  }                                                                                               \
  CALLBACK std::uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                        \
      volatile std::uint##bits##_t* address, std::uint##bits##_t expected,                        \
      std::uint##bits##_t value, int, int) {                                                      \
    __tsan_atomic##bits##_compare_exchange_strong(address, &expected, value, 0, 0);               \
    return expected;                                                                              \
  }                                                                                               \
  FETCH(bits, add, __atomic_fetch_add)                                                            \
  FETCH(bits, sub, __atomic_fetch_sub)                                                            \
  FETCH(bits, and, __atomic_fetch_and)                                                            \
  FETCH(bits, or, __atomic_fetch_or)                                                              \
  FETCH(bits, xor, __atomic_fetch_xor)                                                            \
  FETCH(bits, nand, __atomic_fetch_nand)
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
#undef ATOMICS
#undef FETCH
