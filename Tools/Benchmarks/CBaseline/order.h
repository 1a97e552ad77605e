/// The orders of the three projected trees, over pointers to records.

#ifndef BASELINE_ORDER_H
#define BASELINE_ORDER_H

#include "CBaseline.h"

typedef int (*record_order)(const void *left, const void *right);

int order_by_id(const void *left, const void *right);
int order_by_category(const void *left, const void *right);
int order_by_view(const void *left, const void *right);

/// Points `sorted` at the records, in order. Records that come in order cost one comparison each.
void sort_records(const baseline_record *records, size_t count, record_order order, const baseline_record **sorted);

#endif
