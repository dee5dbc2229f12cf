// Are the entries of the message layer's table what their positions promise?
#pragma once

#include <cstddef>
#include <cstdint>

namespace kith::record {

/// One word of an argument list.
using Word = std::intptr_t;
/// Any function of the table, called with as many words as the longest of them takes. The callee
/// looks at those that are its own: on all processors with these functions, words that follow
/// change nothing.
using AnyEntry = Word (*)(Word, Word, Word, Word, Word, Word, Word, Word);

/// Positions of the entries that send.
struct SendingEntries {
  std::size_t isend_init;
  std::size_t isend;
  std::size_t send;
};

/// Sends this process three messages (MPI_COMM_SELF), one by each entry, and looks which entry they
/// come by, with which arguments. True when all do as promised. Whatever the entries really are,
/// their calls are passed on unchanged; the table is left as it was. Requires MPI to be
/// initialised.
bool table_is_proven(void** table, const SendingEntries& entries);

}  // namespace kith::record
