/* The binary interface of Open MPI 4.0 to 5.0 (libmpi.so.40), as far as libkith.so needs it; for machines
   without its header. */
#ifndef KITH_OPEN_MPI_MPI_H
#define KITH_OPEN_MPI_MPI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 4
#define MPI_SUBVERSION 0
#define OPEN_MPI 1
#define KITH_WITH_REMOVED_FUNCTIONS 1

typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef MPI_Count MPI_Partition_count;
typedef int MPI_Fint;

typedef struct {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int is_cancelled;
  size_t bytes;
} MPI_Status;

typedef struct ompi_op_t* MPI_Op;
typedef struct ompi_communicator_t* MPI_Comm;
typedef struct ompi_group_t* MPI_Group;
typedef struct ompi_win_t* MPI_Win;
typedef struct ompi_file_t* MPI_File;
typedef struct ompi_instance_t* MPI_Session;
typedef struct ompi_message_t* MPI_Message;
typedef struct ompi_info_t* MPI_Info;
typedef struct ompi_errhandler_t* MPI_Errhandler;
typedef struct ompi_request_t* MPI_Request;
typedef struct ompi_datatype_t* MPI_Datatype;

/* Predefined handles are addresses of the library's objects. */
#ifdef __cplusplus
#define KITH_PREDEFINED(type, object) static_cast<type>(static_cast<void*>(&(object)))
#else
#define KITH_PREDEFINED(type, object) ((type)(void*)&(object))
#endif
extern struct ompi_predefined_op_t ompi_mpi_op_max;
extern struct ompi_predefined_op_t ompi_mpi_op_min;
extern struct ompi_predefined_op_t ompi_mpi_op_sum;
extern struct ompi_predefined_op_t ompi_mpi_op_no_op;
extern struct ompi_predefined_communicator_t ompi_mpi_comm_null;
extern struct ompi_predefined_communicator_t ompi_mpi_comm_world;
extern struct ompi_predefined_communicator_t ompi_mpi_comm_self;
extern struct ompi_predefined_group_t ompi_mpi_group_null;
extern struct ompi_predefined_win_t ompi_mpi_win_null;
extern struct ompi_predefined_message_t ompi_message_null;
extern struct ompi_predefined_info_t ompi_mpi_info_null;
extern struct ompi_predefined_errhandler_t ompi_mpi_errhandler_null;
extern struct ompi_predefined_errhandler_t ompi_mpi_errors_return;
extern struct ompi_predefined_request_t ompi_request_null;
extern struct ompi_predefined_datatype_t ompi_mpi_datatype_null;
extern struct ompi_predefined_datatype_t ompi_mpi_packed;
extern struct ompi_predefined_datatype_t ompi_mpi_int;
extern struct ompi_predefined_datatype_t ompi_mpi_double;
extern struct ompi_predefined_datatype_t ompi_mpi_byte;
extern struct ompi_predefined_datatype_t ompi_mpi_int64_t;
extern struct ompi_predefined_datatype_t ompi_mpi_uint64_t;
#define MPI_MAX KITH_PREDEFINED(MPI_Op, ompi_mpi_op_max)
#define MPI_MIN KITH_PREDEFINED(MPI_Op, ompi_mpi_op_min)
#define MPI_SUM KITH_PREDEFINED(MPI_Op, ompi_mpi_op_sum)
#define MPI_NO_OP KITH_PREDEFINED(MPI_Op, ompi_mpi_op_no_op)
#define MPI_COMM_NULL KITH_PREDEFINED(MPI_Comm, ompi_mpi_comm_null)
#define MPI_COMM_WORLD KITH_PREDEFINED(MPI_Comm, ompi_mpi_comm_world)
#define MPI_COMM_SELF KITH_PREDEFINED(MPI_Comm, ompi_mpi_comm_self)
#define MPI_GROUP_NULL KITH_PREDEFINED(MPI_Group, ompi_mpi_group_null)
#define MPI_WIN_NULL KITH_PREDEFINED(MPI_Win, ompi_mpi_win_null)
#define MPI_MESSAGE_NULL KITH_PREDEFINED(MPI_Message, ompi_message_null)
#define MPI_INFO_NULL KITH_PREDEFINED(MPI_Info, ompi_mpi_info_null)
#define MPI_ERRHANDLER_NULL KITH_PREDEFINED(MPI_Errhandler, ompi_mpi_errhandler_null)
#define MPI_ERRORS_RETURN KITH_PREDEFINED(MPI_Errhandler, ompi_mpi_errors_return)
#define MPI_REQUEST_NULL KITH_PREDEFINED(MPI_Request, ompi_request_null)
#define MPI_DATATYPE_NULL KITH_PREDEFINED(MPI_Datatype, ompi_mpi_datatype_null)
#define MPI_PACKED KITH_PREDEFINED(MPI_Datatype, ompi_mpi_packed)
#define MPI_INT KITH_PREDEFINED(MPI_Datatype, ompi_mpi_int)
#define MPI_DOUBLE KITH_PREDEFINED(MPI_Datatype, ompi_mpi_double)
#define MPI_BYTE KITH_PREDEFINED(MPI_Datatype, ompi_mpi_byte)
#define MPI_INT64_T KITH_PREDEFINED(MPI_Datatype, ompi_mpi_int64_t)
#define MPI_UINT64_T KITH_PREDEFINED(MPI_Datatype, ompi_mpi_uint64_t)

#define MPI_BOTTOM ((void*)0)
#define MPI_IN_PLACE ((void*)1)
#define MPI_STATUS_IGNORE ((MPI_Status*)0)
#define MPI_STATUSES_IGNORE ((MPI_Status*)0)
#define MPI_UNWEIGHTED ((int*)2)
#define MPI_WEIGHTS_EMPTY ((int*)3)
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-2)
#define MPI_ROOT (-4)
#define MPI_UNDEFINED (-32766)
#define MPI_KEYVAL_INVALID (-1)
#define MPI_MAX_PORT_NAME 1024
#define MPI_MAX_LIBRARY_VERSION_STRING 256

#define MPI_SUCCESS 0
#define MPI_ERR_BUFFER 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_COMM 5
#define MPI_ERR_RANK 6
#define MPI_ERR_ARG 13
#define MPI_ERR_OTHER 16
#define MPI_ERR_NO_MEM 39

#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_MULTIPLE 3
#define MPI_ORDER_C 0
#define MPI_UNEQUAL 3
#define MPI_CART 1
#define MPI_GRAPH 2
#define MPI_DIST_GRAPH 3
#define MPI_COMM_TYPE_SHARED 0
#define MPI_T_BIND_NO_OBJECT 0
#define MPI_T_BIND_MPI_COMM 1

#define MPI_COMBINER_NAMED 0
#define MPI_COMBINER_DUP 1
#define MPI_COMBINER_CONTIGUOUS 2
#define MPI_COMBINER_VECTOR 3
#define MPI_COMBINER_HVECTOR 5
#define MPI_COMBINER_INDEXED 6
#define MPI_COMBINER_HINDEXED 8
#define MPI_COMBINER_INDEXED_BLOCK 9
#define MPI_COMBINER_STRUCT 11
#define MPI_COMBINER_SUBARRAY 12
#define MPI_COMBINER_DARRAY 13
#define MPI_COMBINER_F90_REAL 14
#define MPI_COMBINER_F90_COMPLEX 15
#define MPI_COMBINER_F90_INTEGER 16
#define MPI_COMBINER_RESIZED 17
#define MPI_COMBINER_HINDEXED_BLOCK 18

#define MPI_TAG_UB 0
#define MPI_HOST 1
#define MPI_IO 2
#define MPI_WTIME_IS_GLOBAL 3
#define MPI_APPNUM 4
#define MPI_LASTUSEDCODE 5
#define MPI_UNIVERSE_SIZE 6

#include "callbacks.inc"

#include "mpi_functions.h"
MPI_Fint PMPI_Comm_c2f(MPI_Comm comm);
MPI_Comm PMPI_Comm_f2c(MPI_Fint comm);
MPI_Datatype PMPI_Type_f2c(MPI_Fint datatype);

#ifdef __cplusplus
}
#endif
#endif
