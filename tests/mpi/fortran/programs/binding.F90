! The binding under test, for all that `use binding`.
module binding
#if defined(BINDING_F08)
  use mpi_f08
#elif defined(BINDING_MPI)
  use mpi
#else
  include 'mpif.h'
#endif
end module binding
