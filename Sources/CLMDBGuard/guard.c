#include "CLMDBGuard.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where the present reading call of the thread continues after an assertion, or null outside of reading calls.
static _Thread_local jmp_buf *rescue;
static atomic_int end_status;

static void fail(MDB_env *env, const char *assertion) {
  if (rescue) _longjmp(*rescue, 1);
  const char *path = "";
  (void)mdb_env_get_path(env, &path);
  char text[1024];
  int size = snprintf(
      text, sizeof text,
      "daybook: a page of the file in %s is damaged, and was met by a write, which did not take place (%s).\n"
      "Verify the store with `daybook verify`, and restore a backup.\n",
      path, assertion);
  if (size > (int)sizeof text - 1) size = (int)sizeof text - 1;
  // The path may be from outside; control characters other than the newlines of the message are not shown.
  for (int i = 0; i < size; i++) {
    if (((unsigned char)text[i] < 0x20 && text[i] != '\n') || text[i] == 0x7f) text[i] = ' ';
  }
  ssize_t written = write(STDERR_FILENO, text, (size_t)size);
  (void)written;
  int status = atomic_load(&end_status);
  if (status) _exit(status);
  abort();
}

int daybook_lmdb_guard(MDB_env *env) { return mdb_env_set_assert(env, fail); }

void daybook_lmdb_end_with(int status) { atomic_store(&end_status, status); }

int daybook_lmdb_get(MDB_txn *txn, MDB_dbi table, MDB_val *key, MDB_val *value) {
  jmp_buf here;
  if (_setjmp(here)) {
    rescue = NULL;
    return MDB_CORRUPTED;
  }
  rescue = &here;
  int code = mdb_get(txn, table, key, value);
  rescue = NULL;
  return code;
}

int daybook_lmdb_cursor_get(MDB_cursor *cursor, MDB_val *key, MDB_val *value, MDB_cursor_op operation) {
  jmp_buf here;
  if (_setjmp(here)) {
    rescue = NULL;
    return MDB_CORRUPTED;
  }
  rescue = &here;
  int code = mdb_cursor_get(cursor, key, value, operation);
  rescue = NULL;
  return code;
}
