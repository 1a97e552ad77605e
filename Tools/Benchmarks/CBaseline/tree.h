/// Putting records into the three projected trees, in the order of each.

#ifndef BASELINE_TREE_H
#define BASELINE_TREE_H

#include "store.h"

/// Puts the records into objects, children and view, each in its own order.
///
/// `scratch` has room for a pointer to every record. `flags` is 0, or `MDB_APPEND` if every key is greater than those
/// in the trees.
int put_records(const projections *trees, MDB_txn *transaction, const baseline_record *records, size_t count,
                uint64_t position, unsigned flags, const baseline_record **scratch);

#endif
