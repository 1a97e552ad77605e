#if defined(__linux__)
#define _GNU_SOURCE
#include "FaultyDisk.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/// The function of the C library that this one stands before.
#define NEXT(name) ((__typeof__(&name))next(#name))

static void *next(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) abort();
  return function;
}

// A call and its record belong together, so that the records are in the order of the calls.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int log_descriptor = -1;

/// The failure that is asked for; `number` is 0 if there is none, or it is over.
static struct {
  long number;
  int is_short;
  int error;
  int is_sticky;
  int has_begun;
} plan;

const int faulty_disk_version = 1;

__attribute__((constructor)) static void read_environment(void) {
  const char *directory = getenv("FAULTY_DISK_ROOT");
  const char *log = getenv("FAULTY_DISK_LOG");
  const char *failure = getenv("FAULTY_DISK_FAILURE");
  char kind[16], repetition[16];
  snprintf(root, sizeof root, "%s", directory ? directory : "");
  root_length = strlen(root);
  if (log) {
    log_descriptor = NEXT(open)(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (log_descriptor < 0) abort();
  }
  if (failure) {
    if (sscanf(failure, "%ld %15s %d %15s", &plan.number, kind, &plan.error, repetition) != 4) abort();
    plan.is_short = !strcmp(kind, "short");
    plan.is_sticky = !strcmp(repetition, "always");
  }
}

/// The part of a path below the directory; NULL if it is not there, or is a lock file.
static const char *relative(const char *path) {
  if (!root_length || strncmp(path, root, root_length) || path[root_length] != '/') return NULL;
  const char *name = strrchr(path, '/') + 1;
  return strcmp(name, "lock.mdb") ? path + root_length + 1 : NULL;
}

/// The path of an open file below the directory, in the buffer; NULL as above.
static const char *path_of(int descriptor, char *buffer) {
  char link[64];
  if (!root_length) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  if (length < 0) return NULL;
  buffer[length] = 0;
  return strcmp(buffer, root) ? relative(buffer) : "";
}

static uint64_t number_of(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) ? 0 : status.st_ino;
}

static void record(char kind, uint64_t file, uint64_t offset, const char *first, const void *second, size_t length) {
  if (log_descriptor < 0) return;
  unsigned char head[25];
  uint32_t lengths[2] = {(uint32_t)strlen(first), (uint32_t)length};
  head[0] = (unsigned char)kind;
  memcpy(head + 1, &file, 8);
  memcpy(head + 9, &offset, 8);
  memcpy(head + 17, lengths, 8);
  struct iovec parts[3] = {{head, sizeof head}, {(void *)first, lengths[0]}, {(void *)second, length}};
  size_t total = sizeof head + lengths[0] + length;
  // The log of a test that cannot be written is no log.
  if (NEXT(writev)(log_descriptor, parts, 3) != (ssize_t)total) abort();
}

/// Counts a call, and says whether it fails.
static int fails(char kind, uint64_t file, const char *path, off_t offset) {
  if (!plan.has_begun || plan.number == 0) return 0;
  if (plan.number > 1) {
    plan.number--;
    return 0;
  }
  if (!plan.is_sticky) plan.number = 0;
  record('x', file, (uint64_t)offset, path, &kind, 1);
  return 1;
}

static ssize_t write_at(int descriptor, const struct iovec *parts, int count, off_t offset, int moves) {
  size_t size = 0;
  for (int i = 0; i < count; i++) size += (size_t)parts[i].iov_len;
  // One run of bytes, so that half of it can be written and all of it recorded.
  char *bytes = malloc(size ? size : 1);
  if (!bytes) return errno = ENOMEM, -1;
  size_t done = 0;
  for (int i = 0; i < count; i++) {
    memcpy(bytes + done, parts[i].iov_base, parts[i].iov_len);
    done += parts[i].iov_len;
  }
  char buffer[PATH_MAX];
  const char *path = path_of(descriptor, buffer);
  ssize_t result = -1;
  int error = 0;
  pthread_mutex_lock(&lock);
  if (moves && path) offset = lseek(descriptor, 0, SEEK_CUR);
  if (path && fails('w', number_of(descriptor), path, offset)) {
    error = plan.error;
    if (plan.is_short && size > 1) size /= 2, error = 0;
  }
  if (!error) {
    result = moves ? NEXT(write)(descriptor, bytes, size) : NEXT(pwrite)(descriptor, bytes, size, offset);
    error = result < 0 ? errno : 0;
  }
  if (path && result > 0) {
    uint64_t file = number_of(descriptor);
    record('w', file, (uint64_t)offset, "", bytes, (size_t)result);
    if (fcntl(descriptor, F_GETFL) & O_DSYNC) record('s', file, 0, "", "", 0);
  } else if (descriptor == STDOUT_FILENO && result > 0) {
    if (result >= 5 && !memcmp(bytes, "begin", 5)) plan.has_begun = 1;
    record('p', 0, 0, "", bytes, (size_t)result);
  }
  pthread_mutex_unlock(&lock);
  free(bytes);
  if (error) errno = error;
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
  struct iovec part = {(void *)bytes, size};
  return write_at(descriptor, &part, 1, 0, 1);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) { return write_at(descriptor, parts, count, 0, 1); }

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
  struct iovec part = {(void *)bytes, size};
  return write_at(descriptor, &part, 1, offset, 0);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off_t offset) {
  return pwrite(descriptor, bytes, size, offset);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  return write_at(descriptor, parts, count, offset, 0);
}

static int flush(int descriptor, int (*next)(int)) {
  char buffer[PATH_MAX];
  const char *path = path_of(descriptor, buffer);
  int result = -1;
  int error = 0;
  pthread_mutex_lock(&lock);
  if (path && fails('s', number_of(descriptor), path, 0)) {
    error = plan.error;
  } else {
    result = next(descriptor);
    error = result ? errno : 0;
  }
  if (path && !result) {
    struct stat status;
    int is_directory = !fstat(descriptor, &status) && S_ISDIR(status.st_mode);
    record(is_directory ? 'd' : 's', number_of(descriptor), 0, path, "", 0);
  }
  pthread_mutex_unlock(&lock);
  if (error) errno = error;
  return result;
}

int fsync(int descriptor) { return flush(descriptor, NEXT(fsync)); }

int fdatasync(int descriptor) { return flush(descriptor, NEXT(fdatasync)); }

int ftruncate(int descriptor, off_t size) {
  char buffer[PATH_MAX];
  const char *path = path_of(descriptor, buffer);
  int result = -1;
  int error = 0;
  pthread_mutex_lock(&lock);
  if (path && fails('t', number_of(descriptor), path, size)) {
    error = plan.error;
  } else {
    result = NEXT(ftruncate)(descriptor, size);
    error = result ? errno : 0;
  }
  if (path && !result) record('t', number_of(descriptor), (uint64_t)size, "", "", 0);
  pthread_mutex_unlock(&lock);
  if (error) errno = error;
  return result;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  const char *watched = flags & (O_CREAT | O_TRUNC) ? relative(path) : NULL;
  if (!watched) return NEXT(open)(path, flags, mode);
  struct stat status;
  pthread_mutex_lock(&lock);
  int is_new = stat(path, &status) != 0;
  int descriptor = NEXT(open)(path, flags, mode);
  int error = errno;
  if (descriptor >= 0 && is_new) record('c', number_of(descriptor), 0, watched, "", 0);
  if (descriptor >= 0 && !is_new && flags & O_TRUNC) record('t', number_of(descriptor), 0, "", "", 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return descriptor;
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open(path, flags, mode);
}

/// Does something to a name, and writes it down if it worked.
#define NAMED(kind, source, target, call)                                              \
  const char *watched = relative(source);                                              \
  const char *other = relative(target);                                                \
  pthread_mutex_lock(&lock);                                                           \
  int result = call;                                                                   \
  int error = errno;                                                                   \
  if (!result && watched && other) record(kind, 0, 0, watched, other, strlen(other));  \
  pthread_mutex_unlock(&lock);                                                         \
  errno = error;                                                                       \
  return result;

int mkdir(const char *path, mode_t mode) { NAMED('m', path, path, NEXT(mkdir)(path, mode)) }

int rename(const char *from, const char *to) { NAMED('r', from, to, NEXT(rename)(from, to)) }

int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
  NAMED('r', from, to, NEXT(renameat2)(from_directory, from, to_directory, to, flags))
}

int unlink(const char *path) { NAMED('u', path, path, NEXT(unlink)(path)) }

int rmdir(const char *path) { NAMED('u', path, path, NEXT(rmdir)(path)) }

#else

// Elsewhere the tests that need it are left out.
#include "FaultyDisk.h"

const int faulty_disk_version = 1;

#endif
