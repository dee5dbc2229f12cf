// Parts of the exact recording inside Open MPI's message layer (pml): layout of its objects,
// marks of communicators, the two sources, the proof of the function table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "mpi/late_mpi.h"

namespace kith::record {

/// Found by looking at communicators whose group and collectives are known, not from a header: word
/// numbers inside the communicator object. Valid for the life of the process.
class CommunicatorLayout {
 public:
  /// Looks. False where the objects do not look as expected: other library, other version.
  bool find();

  /// The group that ranks of `comm` as destinations count in. Borrowed. No MPI call that could
  /// complain: communicators under construction are fine.
  MPI_Group destinations(MPI_Comm comm) const;

  /// Whether all collectives of `comm` go through the message layer.
  bool sends_through_message_layer(MPI_Comm comm) const;

 private:
  int group_word_ = -1;        ///< of the remote group; the local one stands before it
  int collectives_word_ = -1;  ///< of the pointer to the table of collective functions
};

// A message seen in the message layer: is it ours to count, and as what? Communicators whose
// messages are not what they seem are marked.

enum class Mark : std::uint8_t {
  none,
  ours,           ///< Kith's own: not the program's traffic
  inside_window,  ///< positive tags carry one-sided data, which the wrappers count
};

/// Thread safe; setting takes a lock, asking does not. Mark::none takes a mark away.
void set_mark(MPI_Comm comm, Mark mark);
Mark mark_of(MPI_Comm comm);

/// Whether messages are counted now. Set by begin_exact(), end_exact().
void set_classifying(bool on);

/// True for the usual case that needs no further look: a message of the program inside a call whose
/// wrapper counts it, or nothing is to be counted. A few instructions.
bool is_counted_elsewhere(int tag);

/// A message of `bytes` to `dest` of `comm`, whose destinations are ranks of `group`.
void classify_message(MPI_Comm comm, MPI_Group group, int dest, std::uint64_t bytes, int tag);
/// The same where only the launcher's rank is known.
void classify_to_launcher_rank(int rank, std::uint64_t bytes, int tag);

// The two ways to see what the message layer sends.

/// Source 1: Open MPI's exported table of message-layer functions.
bool function_table_fits();  ///< by version alone; before MPI_Init
/// Empty when our functions are in the table, else why not. `layout` is kept and must outlive it.
std::string install_function_table(const CommunicatorLayout& layout);
void remove_function_table();

/// Source 2: the recording function of Open MPI's monitoring component.
bool monitoring_fits();             ///< by version alone; before MPI_Init
void ask_for_monitoring();          ///< before MPI_Init
void stop_asking_for_monitoring();  ///< after it: not for the jobs that this one starts
/// Empty when the component calls us, else why not.
std::string install_monitoring_call();
void remove_monitoring_call();

// Are the entries of the message layer's table what their positions promise?

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
