#include "order.h"

#include <stdlib.h>
#include <string.h>

static const baseline_record *record_at(const void *element) { return *(const baseline_record *const *)element; }

int order_by_id(const void *left, const void *right) {
  return memcmp(record_at(left)->id, record_at(right)->id, BASELINE_ID_SIZE);
}

int order_by_category(const void *left, const void *right) {
  int order = memcmp(record_at(left)->category_id, record_at(right)->category_id, BASELINE_ID_SIZE);
  return order != 0 ? order : order_by_id(left, right);
}

int order_by_view(const void *left, const void *right) {
  int64_t left_timestamp = record_at(left)->timestamp, right_timestamp = record_at(right)->timestamp;
  if (left_timestamp != right_timestamp) return left_timestamp < right_timestamp ? -1 : 1;
  int order = memcmp(record_at(left)->name, record_at(right)->name, BASELINE_NAME_SIZE);
  return order != 0 ? order : order_by_id(left, right);
}

void sort_records(const baseline_record *records, size_t count, record_order order, const baseline_record **sorted) {
  bool is_sorted = true;
  for (size_t index = 0; index < count; index++) {
    sorted[index] = &records[index];
    if (index > 0 && order(&sorted[index - 1], &sorted[index]) > 0) is_sorted = false;
  }
  if (!is_sorted) qsort(sorted, count, sizeof *sorted, order);
}
