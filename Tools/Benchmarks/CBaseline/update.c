// For the clock, which plain C11 does not have.
#define _POSIX_C_SOURCE 200809L

#include <errno.h>

#include "encoding.h"
#include "monotonic.h"
#include "store.h"

static int append_update(baseline_store *store, MDB_txn *transaction, const baseline_update *update,
                         const uint8_t *old_object) {
  uint8_t key_bytes[JOURNAL_KEY_SIZE], value_bytes[COMMIT_HEADER_SIZE + UPDATED_EVENT_SIZE];
  encode_journal_key(key_bytes, store->head);
  encode_commit_header(value_bytes, store->head, 1);
  encode_updated_event(value_bytes + COMMIT_HEADER_SIZE, update, old_object);
  MDB_val key = {.mv_size = sizeof key_bytes, .mv_data = key_bytes};
  MDB_val value = {.mv_size = sizeof value_bytes, .mv_data = value_bytes};
  return mdb_put(transaction, store->journal, &key, &value, MDB_APPEND);
}

static int move_view_row(const projections *trees, MDB_txn *transaction, const baseline_update *update,
                         const uint8_t *old_object) {
  uint8_t key_bytes[VIEW_KEY_SIZE];
  encode_view_key(key_bytes, load_timestamp(old_object + OBJECT_TIMESTAMP), old_object + OBJECT_NAME, update->id);
  MDB_val key = {.mv_size = sizeof key_bytes, .mv_data = key_bytes};
  RETURN_IF_ERROR(mdb_del(transaction, trees->view, &key, NULL));
  encode_view_key(key_bytes, update->timestamp, update->name, update->id);
  MDB_val nothing = {0};
  return mdb_put(transaction, trees->view, &key, &nothing, 0);
}

static int rewrite_object(const projections *trees, MDB_txn *transaction, const baseline_update *update,
                          uint8_t *object, uint64_t position) {
  memcpy(object + OBJECT_CHANGED_POSITION, &position, sizeof position);
  memcpy(object + OBJECT_CHANGED_TIME, &update->timestamp, 8);
  memcpy(object + OBJECT_TIMESTAMP, &update->timestamp, 8);
  memcpy(object + OBJECT_NAME, update->name, BASELINE_NAME_SIZE);
  uint8_t key_bytes[OBJECT_KEY_SIZE];
  encode_object_key(key_bytes, update->id);
  MDB_val key = {.mv_size = sizeof key_bytes, .mv_data = key_bytes};
  MDB_val value = {.mv_size = OBJECT_VALUE_SIZE, .mv_data = object};
  return mdb_put(transaction, trees->objects, &key, &value, 0);
}

/// One commit: the event with the old and the new values, the object's row, and its row in the view.
static int update_commit(baseline_store *store, const transaction_pair *pair, const baseline_update *update) {
  uint8_t key_bytes[OBJECT_KEY_SIZE], object[OBJECT_VALUE_SIZE];
  encode_object_key(key_bytes, update->id);
  MDB_val key = {.mv_size = sizeof key_bytes, .mv_data = key_bytes}, value;
  RETURN_IF_ERROR(mdb_get(pair->projections, store->projections.objects, &key, &value));
  // The row lies in a page that the puts below may change.
  memcpy(object, value.mv_data, sizeof object);

  store->head++;
  RETURN_IF_ERROR(append_update(store, pair->journal, update, object));
  RETURN_IF_ERROR(move_view_row(&store->projections, pair->projections, update, object));
  return rewrite_object(&store->projections, pair->projections, update, object, store->head);
}

static int update_transaction(baseline_store *store, const baseline_update *updates, size_t count) {
  transaction_pair pair;
  RETURN_IF_ERROR(transaction_pair_begin(store, &pair));
  uint64_t head = store->head;
  for (size_t index = 0; index < count; index++) {
    int error = update_commit(store, &pair, &updates[index]);
    if (error != 0) {
      transaction_pair_abort(&pair);
      store->head = head;
      return error;
    }
  }
  return transaction_pair_commit(store, &pair);
}

int baseline_apply_updates(baseline_store *store, const baseline_update *updates, size_t count,
                           size_t commits_per_transaction, uint64_t *nanoseconds) {
  if (commits_per_transaction == 0) return EINVAL;
  for (size_t first = 0, transaction = 0; first < count; first += commits_per_transaction, transaction++) {
    size_t size = count - first < commits_per_transaction ? count - first : commits_per_transaction;
    uint64_t start = monotonic_nanoseconds();
    RETURN_IF_ERROR(update_transaction(store, updates + first, size));
    if (nanoseconds != NULL) nanoseconds[transaction] = monotonic_nanoseconds() - start;
  }
  return 0;
}
