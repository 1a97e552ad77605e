/// The bytes of keys and values. Sizes are those of a real store; the fields have fixed places, which is the least that
/// any encoding can cost.

#ifndef BASELINE_ENCODING_H
#define BASELINE_ENCODING_H

#include <string.h>

#include "CBaseline.h"

enum {
  JOURNAL_KEY_SIZE = 12,
  /// Two SHA-256 values, times, author and counts. Nothing is hashed here.
  COMMIT_HEADER_SIZE = 128,
  INSERTED_EVENT_SIZE = 80,
  UPDATED_EVENT_SIZE = 96,
  /// Entity tag and id.
  OBJECT_KEY_SIZE = 2 + BASELINE_ID_SIZE,
  OBJECT_VALUE_SIZE = 100,
  /// Relationship tag, category and id.
  CHILD_KEY_SIZE = 2 + 2 * BASELINE_ID_SIZE,
  /// View tag, timestamp, name, terminator and id.
  VIEW_KEY_SIZE = 2 + 8 + BASELINE_NAME_SIZE + 1 + BASELINE_ID_SIZE,
  VIEW_KEY_TIMESTAMP_OFFSET = 2,
  VIEW_KEY_ID_OFFSET = VIEW_KEY_SIZE - BASELINE_ID_SIZE,
};

/// Where the fields of an inserted event lie.
enum {
  EVENT_KIND = 0,
  EVENT_IS_DONE = 1,
  EVENT_PREVIOUS_POSITION = 4,
  EVENT_ID = 12,
  EVENT_TIMESTAMP = 28,
  EVENT_NAME = 36,
  EVENT_CATEGORY_ID = 60,
};

/// Where the fields of an object's row lie.
enum {
  OBJECT_CREATED_POSITION = 0,
  OBJECT_CREATED_TIME = 8,
  OBJECT_CHANGED_POSITION = 16,
  OBJECT_CHANGED_TIME = 24,
  OBJECT_TIMESTAMP = 32,
  OBJECT_NAME = 40,
  OBJECT_CATEGORY_ID = 64,
  OBJECT_IS_DONE = 80,
};

static inline void store_big_endian(uint8_t *bytes, uint64_t value) {
  uint64_t swapped = __builtin_bswap64(value);
  memcpy(bytes, &swapped, sizeof swapped);
}

static inline uint64_t load_big_endian(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  return __builtin_bswap64(value);
}

static inline int64_t load_timestamp(const uint8_t *bytes) {
  int64_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static inline void encode_journal_key(uint8_t *key, uint64_t position) {
  store_big_endian(key, position);
  memset(key + 8, 0, 4);
}

static inline void encode_commit_header(uint8_t *header, uint64_t position, uint64_t event_count) {
  memset(header, 0, COMMIT_HEADER_SIZE);
  memcpy(header, &position, sizeof position);
  memcpy(header + 8, &event_count, sizeof event_count);
}

static inline void encode_inserted_event(uint8_t *event, const baseline_record *record) {
  memset(event, 0, INSERTED_EVENT_SIZE);
  event[EVENT_KIND] = 1;
  event[EVENT_IS_DONE] = record->is_done;
  memcpy(event + EVENT_ID, record->id, BASELINE_ID_SIZE);
  memcpy(event + EVENT_TIMESTAMP, &record->timestamp, sizeof record->timestamp);
  memcpy(event + EVENT_NAME, record->name, BASELINE_NAME_SIZE);
  memcpy(event + EVENT_CATEGORY_ID, record->category_id, BASELINE_ID_SIZE);
}

static inline void decode_inserted_event(const uint8_t *event, baseline_record *record) {
  record->is_done = event[EVENT_IS_DONE];
  memcpy(record->id, event + EVENT_ID, BASELINE_ID_SIZE);
  memcpy(&record->timestamp, event + EVENT_TIMESTAMP, sizeof record->timestamp);
  memcpy(record->name, event + EVENT_NAME, BASELINE_NAME_SIZE);
  memcpy(record->category_id, event + EVENT_CATEGORY_ID, BASELINE_ID_SIZE);
}

/// The old and the new name and timestamp, as a symmetric event holds them.
static inline void encode_updated_event(uint8_t *event, const baseline_update *update, const uint8_t *old_object) {
  memset(event, 0, UPDATED_EVENT_SIZE);
  event[EVENT_KIND] = 2;
  memcpy(event + EVENT_PREVIOUS_POSITION, old_object + OBJECT_CHANGED_POSITION, 8);
  memcpy(event + EVENT_ID, update->id, BASELINE_ID_SIZE);
  memcpy(event + 28, old_object + OBJECT_TIMESTAMP, 8);
  memcpy(event + 36, old_object + OBJECT_NAME, BASELINE_NAME_SIZE);
  memcpy(event + 60, &update->timestamp, 8);
  memcpy(event + 68, update->name, BASELINE_NAME_SIZE);
}

static inline void encode_object_key(uint8_t *key, const uint8_t *id) {
  key[0] = 0;
  key[1] = 1;
  memcpy(key + 2, id, BASELINE_ID_SIZE);
}

static inline void encode_object(uint8_t *value, const baseline_record *record, uint64_t position) {
  memset(value, 0, OBJECT_VALUE_SIZE);
  memcpy(value + OBJECT_CREATED_POSITION, &position, sizeof position);
  memcpy(value + OBJECT_CREATED_TIME, &record->timestamp, 8);
  memcpy(value + OBJECT_CHANGED_POSITION, &position, sizeof position);
  memcpy(value + OBJECT_CHANGED_TIME, &record->timestamp, 8);
  memcpy(value + OBJECT_TIMESTAMP, &record->timestamp, 8);
  memcpy(value + OBJECT_NAME, record->name, BASELINE_NAME_SIZE);
  memcpy(value + OBJECT_CATEGORY_ID, record->category_id, BASELINE_ID_SIZE);
  value[OBJECT_IS_DONE] = record->is_done;
}

static inline void encode_child_key(uint8_t *key, const uint8_t *category_id, const uint8_t *id) {
  key[0] = 0;
  key[1] = 1;
  memcpy(key + 2, category_id, BASELINE_ID_SIZE);
  memcpy(key + 2 + BASELINE_ID_SIZE, id, BASELINE_ID_SIZE);
}

/// Bytes sort as the values do: the timestamp's sign bit is flipped.
static inline void encode_view_key(uint8_t *key, int64_t timestamp, const uint8_t *name, const uint8_t *id) {
  key[0] = 0;
  key[1] = 1;
  store_big_endian(key + VIEW_KEY_TIMESTAMP_OFFSET, (uint64_t)timestamp ^ (UINT64_C(1) << 63));
  memcpy(key + 10, name, BASELINE_NAME_SIZE);
  key[10 + BASELINE_NAME_SIZE] = 0;
  memcpy(key + VIEW_KEY_ID_OFFSET, id, BASELINE_ID_SIZE);
}

#endif
