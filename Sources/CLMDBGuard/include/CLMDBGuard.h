#ifndef DAYBOOK_LMDB_GUARD_H
#define DAYBOOK_LMDB_GUARD_H

#include <lmdb.h>

// LMDB trusts the pages of its file. Where it checks one, a damaged page fails an assertion, which ends the process with
// a signal. The reading calls below return MDB_CORRUPTED instead: a reading call of LMDB holds no lock and allocates no
// memory, so it can be left at the assertion.
//
// A call that changes pages cannot be left: LMDB may have linked a cursor of its stack into the transaction. There the
// assertion prints what is damaged and ends the process, with the status that `daybook_lmdb_end_with` has set, or with
// the signal of `abort`.

/// Makes the assertions of an environment follow these rules; called once, after `mdb_env_create`.
int daybook_lmdb_guard(MDB_env *env);

/// Sets the exit status of a process that cannot be saved; 0 for a signal, which leaves a trace for a debugger.
void daybook_lmdb_end_with(int status);

/// `mdb_get`.
int daybook_lmdb_get(MDB_txn *txn, MDB_dbi table, MDB_val *key, MDB_val *value);

/// `mdb_cursor_get`.
int daybook_lmdb_cursor_get(MDB_cursor *cursor, MDB_val *key, MDB_val *value, MDB_cursor_op operation);

#endif
