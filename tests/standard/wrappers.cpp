// The standard's functions whose arguments are translated one by one (see translate.py).
#include "translation.hpp"

using namespace translation;
using MPI_Aint = std::intptr_t;
using MPI_Offset = std::int64_t;
using MPI_Count = std::int64_t;
using MPI_Partition_count = int;

#include "wrappers.inc"
