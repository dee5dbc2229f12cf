! One source for both modules of MPI.
#ifdef USE_F08
#define MPI_MODULE mpi_f08
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#else
#define MPI_MODULE mpi
#define COMM integer
#define DATATYPE integer
#endif
