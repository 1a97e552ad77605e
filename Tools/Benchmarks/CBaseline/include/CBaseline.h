/// The floor of each job: what LMDB costs when nothing stands between it and the data.
///
/// A baseline store writes the trees that a Daybook store of the benchmark's model writes, with keys and values of the
/// same size, in the same two environments: a journal that can be flushed with each commit, and projections that never
/// are. It holds no hashes, checks no constraints and decodes nothing that a job does not ask for.
///
/// Every function that can fail returns 0 or an error number of LMDB or of the system, which `baseline_error_message`
/// names. A store belongs to one thread at a time.

#ifndef CBASELINE_H
#define CBASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  BASELINE_ID_SIZE = 16,
  BASELINE_NAME_SIZE = 24,
};

/// One Todo-like record, as every contestant writes it.
typedef struct {
  uint8_t id[BASELINE_ID_SIZE];
  uint8_t category_id[BASELINE_ID_SIZE];
  uint8_t name[BASELINE_NAME_SIZE];
  int64_t timestamp;
  bool is_done;
} baseline_record;

/// A new name and timestamp for the record with this id: the row changes, and its place in the sorted view.
typedef struct {
  uint8_t id[BASELINE_ID_SIZE];
  uint8_t name[BASELINE_NAME_SIZE];
  int64_t timestamp;
} baseline_update;

/// Where a fetch begins in the sorted view: at the first row not before these values.
typedef struct {
  int64_t timestamp;
  uint8_t name[BASELINE_NAME_SIZE];
  uint8_t id[BASELINE_ID_SIZE];
} baseline_place;

/// What a read came by. The sum is over timestamps and flags, so that contestants can be held to the same answer and
/// the compiler cannot leave the reading out.
typedef struct {
  size_t count;
  uint64_t sum;
} baseline_tally;

typedef struct baseline_store baseline_store;

/// How a store is opened.
typedef struct {
  /// Whether each LMDB transaction of the journal is on disk when it commits. The projections never are.
  bool flushes_journal;
  size_t map_size_in_bytes;
} baseline_options;

const char *baseline_error_message(int error);

/// The version of LMDB that is linked, such as "LMDB 0.9.24: (July 24, 2019)".
const char *baseline_engine_version(void);

/// Opens the store in an existing directory, or makes one there.
int baseline_open(const char *directory, baseline_options options, baseline_store **store);

/// Closes the store; NULL is allowed.
void baseline_close(baseline_store *store);

/// Inserts records in order, `commit_size` to a commit and `commits_per_transaction` commits to an LMDB transaction.
int baseline_ingest(baseline_store *store, const baseline_record *records, size_t count, size_t commit_size,
                    size_t commits_per_transaction);

/// Makes one commit of each update, `commits_per_transaction` of them to an LMDB transaction, each seeing those before.
///
/// Writes the time that each transaction took to `nanoseconds`, which has room for one number a transaction or is NULL.
int baseline_apply_updates(baseline_store *store, const baseline_update *updates, size_t count,
                           size_t commits_per_transaction, uint64_t *nanoseconds);

/// Reads the inserted events of every commit in the journal: their timestamp and flag, where they lie.
int baseline_scan_journal(baseline_store *store, baseline_tally *tally);

/// Folds the journal of `store`, which may hold only inserts, into the fresh projections of an empty directory.
int baseline_rebuild(baseline_store *store, const char *directory, size_t map_size_in_bytes, baseline_tally *tally);

/// Reads up to `limit` rows in the order of the sorted view, each with its object.
int baseline_fetch(baseline_store *store, baseline_place place, size_t limit, baseline_tally *tally);

/// Reads every key of the sorted view: its timestamp, where it lies.
int baseline_scan_view(baseline_store *store, baseline_tally *tally);

/// Reads the object with this id. `MDB_NOTFOUND` is returned if there is none.
int baseline_get(baseline_store *store, const uint8_t *id, baseline_tally *tally);

/// Wakes a thread that sleeps on a condition `count` times, each time after `pause` nanoseconds.
///
/// Writes to `nanoseconds`, which has room for `count` numbers, the time from before each signal until the thread runs.
int baseline_measure_wakes(size_t count, uint64_t pause, uint64_t *nanoseconds);

/// What the process holds of the heap; -1 where the C library does not say.
///
/// Not what is resident: pages of a mapped file come and go, and an allocator keeps what was let go.
int64_t baseline_allocated_bytes(void);

#endif
