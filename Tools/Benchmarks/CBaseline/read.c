#include "encoding.h"
#include "store.h"

static void tally_event(baseline_tally *tally, const uint8_t *event) {
  tally->count++;
  tally->sum += (uint64_t)load_timestamp(event + EVENT_TIMESTAMP) + event[EVENT_IS_DONE];
}

static void tally_object(baseline_tally *tally, const uint8_t *object) {
  tally->count++;
  tally->sum += (uint64_t)load_timestamp(object + OBJECT_TIMESTAMP) + object[OBJECT_IS_DONE];
}

static void tally_commit(baseline_tally *tally, MDB_val value) {
  const uint8_t *event = (const uint8_t *)value.mv_data + COMMIT_HEADER_SIZE;
  const uint8_t *end = (const uint8_t *)value.mv_data + value.mv_size;
  for (; end - event >= INSERTED_EVENT_SIZE && event[EVENT_KIND] == 1; event += INSERTED_EVENT_SIZE) {
    tally_event(tally, event);
  }
}

int baseline_scan_journal(baseline_store *store, baseline_tally *tally) {
  *tally = (baseline_tally){0};
  MDB_txn *transaction = NULL;
  RETURN_IF_ERROR(mdb_txn_begin(store->journal_environment, NULL, MDB_RDONLY, &transaction));
  MDB_cursor *cursor = NULL;
  int error = mdb_cursor_open(transaction, store->journal, &cursor);
  if (error == 0) {
    MDB_val key, value;
    while ((error = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) tally_commit(tally, value);
    mdb_cursor_close(cursor);
  }
  mdb_txn_abort(transaction);
  return error == MDB_NOTFOUND ? 0 : error;
}

static int tally_object_with_id(const baseline_store *store, MDB_txn *transaction, const uint8_t *id,
                                baseline_tally *tally) {
  uint8_t key_bytes[OBJECT_KEY_SIZE];
  encode_object_key(key_bytes, id);
  MDB_val key = {.mv_size = sizeof key_bytes, .mv_data = key_bytes}, value;
  RETURN_IF_ERROR(mdb_get(transaction, store->projections.objects, &key, &value));
  tally_object(tally, value.mv_data);
  return 0;
}

static int fetch_rows(const baseline_store *store, MDB_txn *transaction, MDB_cursor *cursor, baseline_place place,
                      size_t limit, baseline_tally *tally) {
  uint8_t key_bytes[VIEW_KEY_SIZE];
  encode_view_key(key_bytes, place.timestamp, place.name, place.id);
  MDB_val key = {.mv_size = sizeof key_bytes, .mv_data = key_bytes}, value;
  int error = mdb_cursor_get(cursor, &key, &value, MDB_SET_RANGE);
  while (error == 0 && tally->count < limit) {
    error = tally_object_with_id(store, transaction, (const uint8_t *)key.mv_data + VIEW_KEY_ID_OFFSET, tally);
    if (error == 0) error = mdb_cursor_get(cursor, &key, &value, MDB_NEXT);
  }
  return error == MDB_NOTFOUND ? 0 : error;
}

int baseline_fetch(baseline_store *store, baseline_place place, size_t limit, baseline_tally *tally) {
  *tally = (baseline_tally){0};
  MDB_txn *transaction = NULL;
  RETURN_IF_ERROR(mdb_txn_begin(store->projections.environment, NULL, MDB_RDONLY, &transaction));
  MDB_cursor *cursor = NULL;
  int error = mdb_cursor_open(transaction, store->projections.view, &cursor);
  if (error == 0) {
    error = fetch_rows(store, transaction, cursor, place, limit, tally);
    mdb_cursor_close(cursor);
  }
  mdb_txn_abort(transaction);
  return error;
}

int baseline_scan_view(baseline_store *store, baseline_tally *tally) {
  *tally = (baseline_tally){0};
  MDB_txn *transaction = NULL;
  RETURN_IF_ERROR(mdb_txn_begin(store->projections.environment, NULL, MDB_RDONLY, &transaction));
  MDB_cursor *cursor = NULL;
  int error = mdb_cursor_open(transaction, store->projections.view, &cursor);
  if (error == 0) {
    MDB_val key, value;
    while ((error = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) == 0) {
      tally->count++;
      tally->sum += load_big_endian((const uint8_t *)key.mv_data + VIEW_KEY_TIMESTAMP_OFFSET);
    }
    mdb_cursor_close(cursor);
  }
  mdb_txn_abort(transaction);
  return error == MDB_NOTFOUND ? 0 : error;
}

int baseline_get(baseline_store *store, const uint8_t *id, baseline_tally *tally) {
  *tally = (baseline_tally){0};
  MDB_txn *transaction = NULL;
  RETURN_IF_ERROR(mdb_txn_begin(store->projections.environment, NULL, MDB_RDONLY, &transaction));
  int error = tally_object_with_id(store, transaction, id, tally);
  mdb_txn_abort(transaction);
  return error;
}
