#include <errno.h>
#include <stdlib.h>

#include "encoding.h"
#include "tree.h"

/// Appends one commit of inserts to the journal: a header and all events in one value.
static int append_inserts(baseline_store *store, MDB_txn *transaction, const baseline_record *records, size_t count) {
  size_t size = COMMIT_HEADER_SIZE + count * INSERTED_EVENT_SIZE;
  RETURN_IF_ERROR(store_reserve(store, size));
  encode_commit_header(store->commit_buffer, store->head, count);
  uint8_t *event = store->commit_buffer + COMMIT_HEADER_SIZE;
  for (size_t index = 0; index < count; index++, event += INSERTED_EVENT_SIZE) {
    encode_inserted_event(event, &records[index]);
  }
  uint8_t key_bytes[JOURNAL_KEY_SIZE];
  encode_journal_key(key_bytes, store->head);
  MDB_val key = {.mv_size = sizeof key_bytes, .mv_data = key_bytes};
  MDB_val value = {.mv_size = size, .mv_data = store->commit_buffer};
  return mdb_put(transaction, store->journal, &key, &value, MDB_APPEND);
}

static int ingest_commit(baseline_store *store, const transaction_pair *pair, const baseline_record *records,
                         size_t count, const baseline_record **scratch) {
  store->head++;
  RETURN_IF_ERROR(append_inserts(store, pair->journal, records, count));
  return put_records(&store->projections, pair->projections, records, count, store->head, 0, scratch);
}

static int ingest_transaction(baseline_store *store, const baseline_record *records, size_t count, size_t commit_size,
                              const baseline_record **scratch) {
  transaction_pair pair;
  RETURN_IF_ERROR(transaction_pair_begin(store, &pair));
  uint64_t head = store->head;
  for (size_t first = 0; first < count; first += commit_size) {
    size_t size = count - first < commit_size ? count - first : commit_size;
    int error = ingest_commit(store, &pair, records + first, size, scratch);
    if (error != 0) {
      transaction_pair_abort(&pair);
      store->head = head;
      return error;
    }
  }
  return transaction_pair_commit(store, &pair);
}

int baseline_ingest(baseline_store *store, const baseline_record *records, size_t count, size_t commit_size,
                    size_t commits_per_transaction) {
  if (commit_size == 0 || commits_per_transaction == 0) return EINVAL;
  const baseline_record **scratch = malloc(commit_size * sizeof *scratch);
  if (scratch == NULL) return ENOMEM;
  size_t step = commit_size * commits_per_transaction;
  int error = 0;
  for (size_t first = 0; first < count && error == 0; first += step) {
    size_t size = count - first < step ? count - first : step;
    error = ingest_transaction(store, records + first, size, commit_size, scratch);
  }
  free(scratch);
  return error;
}
