#include <errno.h>
#include <stdlib.h>

#include "encoding.h"
#include "tree.h"

/// Records read from the journal, in a growing array.
typedef struct {
  baseline_record *records;
  size_t count;
  size_t capacity;
} record_list;

static int record_list_reserve(record_list *list, size_t additional) {
  if (list->count + additional <= list->capacity) return 0;
  size_t capacity = list->capacity * 2 + additional;
  baseline_record *records = realloc(list->records, capacity * sizeof *records);
  if (records == NULL) return ENOMEM;
  list->records = records;
  list->capacity = capacity;
  return 0;
}

static int read_commit(record_list *list, MDB_val value) {
  size_t count = (value.mv_size - COMMIT_HEADER_SIZE) / INSERTED_EVENT_SIZE;
  RETURN_IF_ERROR(record_list_reserve(list, count));
  const uint8_t *event = (const uint8_t *)value.mv_data + COMMIT_HEADER_SIZE;
  for (size_t index = 0; index < count; index++, event += INSERTED_EVENT_SIZE) {
    if (event[EVENT_KIND] != 1) return EINVAL;
    decode_inserted_event(event, &list->records[list->count++]);
  }
  return 0;
}

static int read_journal(baseline_store *store, record_list *list) {
  MDB_txn *transaction = NULL;
  RETURN_IF_ERROR(mdb_txn_begin(store->journal_environment, NULL, MDB_RDONLY, &transaction));
  MDB_cursor *cursor = NULL;
  int error = mdb_cursor_open(transaction, store->journal, &cursor);
  if (error == 0) {
    MDB_val key, value;
    while ((error = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
      error = read_commit(list, value);
      if (error != 0) break;
    }
    mdb_cursor_close(cursor);
  }
  mdb_txn_abort(transaction);
  return error == MDB_NOTFOUND ? 0 : error;
}

/// Sorts all records for each tree and appends them, so that no page is split or touched twice.
static int write_projections(const projections *trees, const record_list *list, uint64_t head) {
  const baseline_record **scratch = malloc((list->count + 1) * sizeof *scratch);
  if (scratch == NULL) return ENOMEM;
  MDB_txn *transaction = NULL;
  int error = mdb_txn_begin(trees->environment, NULL, 0, &transaction);
  if (error == 0) {
    error = put_records(trees, transaction, list->records, list->count, head, MDB_APPEND, scratch);
    if (error == 0) error = projections_put_checkpoint(trees, transaction, head);
    if (error == 0) {
      error = mdb_txn_commit(transaction);
    } else {
      mdb_txn_abort(transaction);
    }
  }
  free(scratch);
  return error;
}

int baseline_rebuild(baseline_store *store, const char *directory, size_t map_size_in_bytes, baseline_tally *tally) {
  *tally = (baseline_tally){0};
  projections fresh = {0};
  RETURN_IF_ERROR(projections_open(directory, map_size_in_bytes, &fresh));
  record_list list = {0};
  int error = read_journal(store, &list);
  if (error == 0) error = write_projections(&fresh, &list, store->head);
  for (size_t index = 0; index < list.count && error == 0; index++) {
    tally->count++;
    tally->sum += (uint64_t)list.records[index].timestamp + list.records[index].is_done;
  }
  free(list.records);
  projections_close(&fresh);
  return error;
}
