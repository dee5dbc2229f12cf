// What each rank sends to the ranks of the other group itself, under every MPI library alike.
#pragma once

#include "record/collectives/models.hpp"

namespace kith::record {

inline void to_each_remote(const InterPlace& place, std::uint64_t bytes, InterSend send) {
  for (int peer = 0; peer < place.remote_size; ++peer) send.remote(peer, bytes);
}

inline void own_block_to_each_remote(const InterPlace& place, const Blocks& blocks,
                                     InterSend send) {
  for (int peer = 0; peer < place.remote_size; ++peer) {
    if (blocks.count(peer) > 0) send.remote(peer, blocks.bytes(peer));
  }
}

inline void own_type_to_each_remote(const InterPlace& place, BytesTo bytes_to, InterSend send) {
  for (int peer = 0; peer < place.remote_size; ++peer) {
    const std::uint64_t bytes = bytes_to(peer);
    if (bytes > 0) send.remote(peer, bytes);
  }
}

}  // namespace kith::record
