// Where Open MPI keeps what we need inside a communicator.
#pragma once

#include <cstdint>

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

}  // namespace kith::record
