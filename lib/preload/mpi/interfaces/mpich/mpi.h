/* The binary interface of MPICH 3.2 and later, and of what descends from it (Intel MPI, MVAPICH, Cray MPI), as
   far as libkith-mpich.so needs it; for machines without any of their headers. */
#ifndef KITH_MPICH_MPI_H
#define KITH_MPICH_MPI_H

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 4
#define MPI_SUBVERSION 0
#define KITH_WITH_REMOVED_FUNCTIONS 1

typedef long MPI_Aint;
typedef long MPI_Offset;
typedef long MPI_Count;
typedef MPI_Count MPI_Partition_count;
typedef int MPI_Fint;

typedef struct MPI_Status {
  int count_lo;
  int count_hi_and_cancelled;
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
} MPI_Status;

typedef int MPI_Op;
typedef int MPI_Comm;
typedef int MPI_Group;
typedef int MPI_Win;
typedef struct ADIOI_FileD* MPI_File;
typedef int MPI_Session;
typedef int MPI_Message;
typedef int MPI_Info;
typedef int MPI_Errhandler;
typedef int MPI_Request;
typedef int MPI_Datatype;

#define MPI_MAX ((MPI_Op)0x58000001)
#define MPI_MIN ((MPI_Op)0x58000002)
#define MPI_SUM ((MPI_Op)0x58000003)
#define MPI_NO_OP ((MPI_Op)0x5800000e)
#define MPI_COMM_NULL ((MPI_Comm)0x04000000)
#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_COMM_SELF ((MPI_Comm)0x44000001)
#define MPI_GROUP_NULL ((MPI_Group)0x08000000)
#define MPI_WIN_NULL ((MPI_Win)0x20000000)
#define MPI_MESSAGE_NULL ((MPI_Message)0x2c000000)
#define MPI_INFO_NULL ((MPI_Info)0x1c000000)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0x14000000)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x54000001)
#define MPI_REQUEST_NULL ((MPI_Request)0x2c000000)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x0c000000)
#define MPI_PACKED ((MPI_Datatype)0x4c00010f)
#define MPI_INT ((MPI_Datatype)0x4c000405)
#define MPI_DOUBLE ((MPI_Datatype)0x4c00080b)
#define MPI_BYTE ((MPI_Datatype)0x4c00010d)
#define MPI_INT64_T ((MPI_Datatype)0x4c00083a)
#define MPI_UINT64_T ((MPI_Datatype)0x4c00083e)

#define MPI_BOTTOM ((void*)0)
#define MPI_IN_PLACE ((void*)-1)
#define MPI_STATUS_IGNORE ((MPI_Status*)1)
#define MPI_STATUSES_IGNORE ((MPI_Status*)1)
extern int* const MPI_UNWEIGHTED;
extern int* const MPI_WEIGHTS_EMPTY;
#define MPI_ANY_SOURCE (-2)
#define MPI_ANY_TAG (-1)
#define MPI_PROC_NULL (-1)
#define MPI_ROOT (-3)
#define MPI_UNDEFINED (-32766)
#define MPI_KEYVAL_INVALID 0x24000000
#define MPI_MAX_PORT_NAME 1024 /* 256 in some */
#define MPI_MAX_LIBRARY_VERSION_STRING 8192

#define MPI_SUCCESS 0
#define MPI_ERR_BUFFER 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_COMM 5
#define MPI_ERR_RANK 6
#define MPI_ERR_ARG 12
#define MPI_ERR_OTHER 15
#define MPI_ERR_NO_MEM 34

#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_MULTIPLE 3
#define MPI_ORDER_C 56
#define MPI_UNEQUAL 3
#define MPI_GRAPH 1
#define MPI_CART 2
#define MPI_DIST_GRAPH 3
#define MPI_COMM_TYPE_SHARED 1
#define MPI_T_BIND_NO_OBJECT 9700
#define MPI_T_BIND_MPI_COMM 9701

#define MPI_COMBINER_NAMED 1
#define MPI_COMBINER_DUP 2
#define MPI_COMBINER_CONTIGUOUS 3
#define MPI_COMBINER_VECTOR 4
#define MPI_COMBINER_HVECTOR 6
#define MPI_COMBINER_INDEXED 7
#define MPI_COMBINER_HINDEXED 9
#define MPI_COMBINER_INDEXED_BLOCK 10
#define MPI_COMBINER_STRUCT 12
#define MPI_COMBINER_SUBARRAY 13
#define MPI_COMBINER_DARRAY 14
#define MPI_COMBINER_F90_REAL 15
#define MPI_COMBINER_F90_COMPLEX 16
#define MPI_COMBINER_F90_INTEGER 17
#define MPI_COMBINER_RESIZED 18
#define MPI_COMBINER_HINDEXED_BLOCK 19

#define MPI_TAG_UB 0x64400001
#define MPI_HOST 0x64400003
#define MPI_IO 0x64400005
#define MPI_WTIME_IS_GLOBAL 0x64400007
#define MPI_UNIVERSE_SIZE 0x64400009
#define MPI_LASTUSEDCODE 0x6440000b
#define MPI_APPNUM 0x6440000d

#include "callbacks.inc"

#include "mpi_functions.h"
#define PMPI_Comm_c2f(comm) (comm)
#define PMPI_Comm_f2c(comm) (comm)
#define PMPI_Type_f2c(type) (type)

#ifdef __cplusplus
}
#endif
#endif
