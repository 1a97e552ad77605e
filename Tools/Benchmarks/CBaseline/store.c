#include "store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "encoding.h"

const char *baseline_error_message(int error) { return mdb_strerror(error); }

const char *baseline_engine_version(void) { return mdb_version(NULL, NULL, NULL); }

/// Opens the environment `name` in `directory`, whose folder is made if it is not there.
static int environment_open(const char *directory, const char *name, unsigned flags, size_t map_size_in_bytes,
                            MDB_env **result) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/%s", directory, name);
  if (length < 0 || (size_t)length >= sizeof path) return ENAMETOOLONG;
  if (mkdir(path, 0755) != 0 && errno != EEXIST) return errno;

  MDB_env *environment = NULL;
  RETURN_IF_ERROR(mdb_env_create(&environment));
  int error = mdb_env_set_maxdbs(environment, 8);
  if (error == 0) error = mdb_env_set_mapsize(environment, map_size_in_bytes);
  if (error == 0) error = mdb_env_open(environment, path, flags, 0644);
  if (error != 0) {
    // LMDB asks for a close after a failed open too.
    mdb_env_close(environment);
    return error;
  }
  *result = environment;
  return 0;
}

static int open_trees(projections *result) {
  MDB_txn *transaction = NULL;
  RETURN_IF_ERROR(mdb_txn_begin(result->environment, NULL, 0, &transaction));
  int error = mdb_dbi_open(transaction, "objects", MDB_CREATE, &result->objects);
  if (error == 0) error = mdb_dbi_open(transaction, "children", MDB_CREATE, &result->children);
  if (error == 0) error = mdb_dbi_open(transaction, "view", MDB_CREATE, &result->view);
  if (error == 0) error = mdb_dbi_open(transaction, "checkpoints", MDB_CREATE, &result->checkpoints);
  if (error != 0) {
    mdb_txn_abort(transaction);
    return error;
  }
  return mdb_txn_commit(transaction);
}

int projections_open(const char *directory, size_t map_size_in_bytes, projections *result) {
  RETURN_IF_ERROR(environment_open(directory, "projections", MDB_NOSYNC, map_size_in_bytes, &result->environment));
  int error = open_trees(result);
  if (error != 0) projections_close(result);
  return error;
}

void projections_close(projections *trees) {
  if (trees->environment == NULL) return;
  mdb_env_close(trees->environment);
  trees->environment = NULL;
}

int projections_put_checkpoint(const projections *trees, MDB_txn *transaction, uint64_t position) {
  uint8_t bytes[8];
  store_big_endian(bytes, position);
  MDB_val key = {.mv_size = 7, .mv_data = "builtin"};
  MDB_val value = {.mv_size = sizeof bytes, .mv_data = bytes};
  return mdb_put(transaction, trees->checkpoints, &key, &value, 0);
}

/// Opens the journal's tree and finds its last position.
static int open_journal(baseline_store *store) {
  MDB_txn *transaction = NULL;
  RETURN_IF_ERROR(mdb_txn_begin(store->journal_environment, NULL, 0, &transaction));
  MDB_cursor *cursor = NULL;
  int error = mdb_dbi_open(transaction, "journal", MDB_CREATE, &store->journal);
  if (error == 0) error = mdb_cursor_open(transaction, store->journal, &cursor);
  if (error == 0) {
    MDB_val key, value;
    error = mdb_cursor_get(cursor, &key, &value, MDB_LAST);
    if (error == 0) store->head = load_big_endian(key.mv_data);
    if (error == MDB_NOTFOUND) error = 0;
    mdb_cursor_close(cursor);
  }
  if (error != 0) {
    mdb_txn_abort(transaction);
    return error;
  }
  return mdb_txn_commit(transaction);
}

int baseline_open(const char *directory, baseline_options options, baseline_store **result) {
  baseline_store *store = calloc(1, sizeof *store);
  if (store == NULL) return ENOMEM;
  unsigned journal_flags = options.flushes_journal ? 0 : MDB_NOSYNC;
  int error = environment_open(directory, "journal", journal_flags, options.map_size_in_bytes,
                               &store->journal_environment);
  if (error == 0) error = open_journal(store);
  if (error == 0) error = projections_open(directory, options.map_size_in_bytes, &store->projections);
  if (error != 0) {
    baseline_close(store);
    return error;
  }
  *result = store;
  return 0;
}

void baseline_close(baseline_store *store) {
  if (store == NULL) return;
  projections_close(&store->projections);
  if (store->journal_environment != NULL) mdb_env_close(store->journal_environment);
  free(store->commit_buffer);
  free(store);
}

int store_reserve(baseline_store *store, size_t size) {
  if (size <= store->commit_capacity) return 0;
  uint8_t *buffer = realloc(store->commit_buffer, size);
  if (buffer == NULL) return ENOMEM;
  store->commit_buffer = buffer;
  store->commit_capacity = size;
  return 0;
}

int transaction_pair_begin(const baseline_store *store, transaction_pair *pair) {
  *pair = (transaction_pair){0};
  int error = mdb_txn_begin(store->journal_environment, NULL, 0, &pair->journal);
  if (error == 0) error = mdb_txn_begin(store->projections.environment, NULL, 0, &pair->projections);
  if (error != 0) transaction_pair_abort(pair);
  return error;
}

int transaction_pair_commit(const baseline_store *store, transaction_pair *pair) {
  int error = projections_put_checkpoint(&store->projections, pair->projections, store->head);
  if (error != 0) {
    transaction_pair_abort(pair);
    return error;
  }
  error = mdb_txn_commit(pair->journal);
  pair->journal = NULL;
  if (error != 0) {
    transaction_pair_abort(pair);
    return error;
  }
  error = mdb_txn_commit(pair->projections);
  pair->projections = NULL;
  return error;
}

void transaction_pair_abort(transaction_pair *pair) {
  if (pair->journal != NULL) mdb_txn_abort(pair->journal);
  if (pair->projections != NULL) mdb_txn_abort(pair->projections);
  *pair = (transaction_pair){0};
}
