#ifndef BASELINE_STORE_H
#define BASELINE_STORE_H

#include <lmdb.h>

#include "CBaseline.h"

/// Leaves the function with the error of an LMDB call. Only for functions that own nothing yet.
#define RETURN_IF_ERROR(call)        \
  do {                               \
    int error_ = (call);             \
    if (error_ != 0) return error_;  \
  } while (0)

/// The environment that holds what can be folded again.
typedef struct {
  MDB_env *environment;
  MDB_dbi objects;
  MDB_dbi children;
  MDB_dbi view;
  MDB_dbi checkpoints;
} projections;

struct baseline_store {
  MDB_env *journal_environment;
  MDB_dbi journal;
  projections projections;
  /// The position of the last commit.
  uint64_t head;
  /// Room for one commit's value, kept between commits.
  uint8_t *commit_buffer;
  size_t commit_capacity;
};

int projections_open(const char *directory, size_t map_size_in_bytes, projections *result);
void projections_close(projections *trees);

/// Records the last position that the projections have taken in.
int projections_put_checkpoint(const projections *trees, MDB_txn *transaction, uint64_t position);

/// Makes room for a commit's value of `size` bytes.
int store_reserve(baseline_store *store, size_t size);

/// The two write transactions of a commit, which begin together; the journal's commits first.
typedef struct {
  MDB_txn *journal;
  MDB_txn *projections;
} transaction_pair;

int transaction_pair_begin(const baseline_store *store, transaction_pair *pair);
int transaction_pair_commit(const baseline_store *store, transaction_pair *pair);
void transaction_pair_abort(transaction_pair *pair);

#endif
