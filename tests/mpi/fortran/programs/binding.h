/* One source, three bindings: compiled with -DBINDING_MPIFH, -DBINDING_MPI or -DBINDING_F08. */
#if defined(BINDING_F08)
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define ERRHANDLER type(MPI_Errhandler)
#define GROUP type(MPI_Group)
#define INFO type(MPI_Info)
#define OP type(MPI_Op)
#define REQUEST type(MPI_Request)
#define WINDOW type(MPI_Win)
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name, count) type(MPI_Status) :: name(count)
#define SOURCE_OF(status) status%MPI_SOURCE
#define FIRST_SOURCE_OF(statuses) statuses(1)%MPI_SOURCE
#define TAG_OF(status) status%MPI_TAG
#define HANDLE_OF(object) object%MPI_VAL
/* mpi_f08 lets the error code away: so do we. */
#define IERR
#else
#define COMM integer
#define DATATYPE integer
#define ERRHANDLER integer
#define GROUP integer
#define INFO integer
#define OP integer
#define REQUEST integer
#define WINDOW integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name, count) integer :: name(MPI_STATUS_SIZE, count)
#define SOURCE_OF(status) status(MPI_SOURCE)
#define FIRST_SOURCE_OF(statuses) statuses(MPI_SOURCE, 1)
#define TAG_OF(status) status(MPI_TAG)
#define HANDLE_OF(object) object
#define IERR , ierror
#endif
