#include "tree.h"

#include "encoding.h"
#include "order.h"

/// Puts one record into a tree through a cursor, which finds neighbouring keys without a descent from the root.
typedef int (*put_record)(MDB_cursor *cursor, const baseline_record *record, uint64_t position, unsigned flags);

static int put_object(MDB_cursor *cursor, const baseline_record *record, uint64_t position, unsigned flags) {
  uint8_t key_bytes[OBJECT_KEY_SIZE], value_bytes[OBJECT_VALUE_SIZE];
  encode_object_key(key_bytes, record->id);
  encode_object(value_bytes, record, position);
  MDB_val key = {.mv_size = sizeof key_bytes, .mv_data = key_bytes};
  MDB_val value = {.mv_size = sizeof value_bytes, .mv_data = value_bytes};
  return mdb_cursor_put(cursor, &key, &value, flags);
}

static int put_child(MDB_cursor *cursor, const baseline_record *record, uint64_t position, unsigned flags) {
  (void)position;
  uint8_t key_bytes[CHILD_KEY_SIZE];
  encode_child_key(key_bytes, record->category_id, record->id);
  MDB_val key = {.mv_size = sizeof key_bytes, .mv_data = key_bytes};
  MDB_val value = {0};
  return mdb_cursor_put(cursor, &key, &value, flags);
}

static int put_view_row(MDB_cursor *cursor, const baseline_record *record, uint64_t position, unsigned flags) {
  (void)position;
  uint8_t key_bytes[VIEW_KEY_SIZE];
  encode_view_key(key_bytes, record->timestamp, record->name, record->id);
  MDB_val key = {.mv_size = sizeof key_bytes, .mv_data = key_bytes};
  MDB_val value = {0};
  return mdb_cursor_put(cursor, &key, &value, flags);
}

static int put_sorted(MDB_txn *transaction, MDB_dbi tree, put_record put, const baseline_record *const *sorted,
                      size_t count, uint64_t position, unsigned flags) {
  MDB_cursor *cursor = NULL;
  RETURN_IF_ERROR(mdb_cursor_open(transaction, tree, &cursor));
  int error = 0;
  for (size_t index = 0; index < count && error == 0; index++) error = put(cursor, sorted[index], position, flags);
  mdb_cursor_close(cursor);
  return error;
}

int put_records(const projections *trees, MDB_txn *transaction, const baseline_record *records, size_t count,
                uint64_t position, unsigned flags, const baseline_record **scratch) {
  const struct {
    MDB_dbi tree;
    record_order order;
    put_record put;
  } puts[] = {
      {trees->objects, order_by_id, put_object},
      {trees->children, order_by_category, put_child},
      {trees->view, order_by_view, put_view_row},
  };
  for (size_t tree = 0; tree < sizeof puts / sizeof *puts; tree++) {
    sort_records(records, count, puts[tree].order, scratch);
    RETURN_IF_ERROR(
        put_sorted(transaction, puts[tree].tree, puts[tree].put, scratch, count, position, flags));
  }
  return 0;
}
