// Publishes messages to a stream as a node does at the least: with the expected last sequence, again after a refusal, and
// with each acknowledged message appended to a file and flushed. The comparison measures Daybook beside it.
//
//     publisher URL STREAM FILE BYTES SECONDS
//     publisher URL STREAM FILE BYTES SECONDS lmdb
//
// The second form puts each message into a table of LMDB instead, in a transaction of its own: what a node does at the least
// that keeps its journal in LMDB.
// It prints one JSON object: messages, refusals, seconds, and the median and the 99th percentile of the time of a message.
#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <nats/nats.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { maximumMessages = 1000000, waitInMilliseconds = 5000 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void check(natsStatus status, const char *what) {
  if (status == NATS_OK) return;
  fprintf(stderr, "publisher: %s: %s\n", what, nats_GetLastError(NULL) ? nats_GetLastError(NULL) : natsStatus_GetText(status));
  exit(1);
}

static uint64_t lastSequence(jsCtx *stream, const char *name) {
  jsStreamInfo *info = NULL;
  check(js_GetStreamInfo(&info, stream, name, NULL, NULL), "reading the last sequence");
  uint64_t sequence = info->State.LastSeq;
  jsStreamInfo_Destroy(info);
  return sequence;
}

static void appendAndFlush(int file, const char *bytes, size_t count) {
  for (size_t written = 0; written < count;) {
    ssize_t result = write(file, bytes + written, count - written);
    if (result < 0 && errno == EINTR) continue;
    if (result < 0) {
      perror("publisher: appending");
      exit(1);
    }
    written += (size_t)result;
  }
  if (fdatasync(file) != 0) {
    perror("publisher: flushing");
    exit(1);
  }
}

static void requireLMDB(int code, const char *what) {
  if (code == MDB_SUCCESS) return;
  fprintf(stderr, "publisher: %s: %s\n", what, mdb_strerror(code));
  exit(1);
}

static MDB_env *openLMDB(const char *path, MDB_dbi *table) {
  MDB_env *environment = NULL;
  MDB_txn *transaction = NULL;
  requireLMDB(mdb_env_create(&environment), "creating the environment");
  requireLMDB(mdb_env_set_mapsize(environment, (size_t)1 << 32), "setting the size of the map");
  requireLMDB(mdb_env_open(environment, path, MDB_NOSUBDIR, 0600), "opening the environment");
  requireLMDB(mdb_txn_begin(environment, NULL, 0, &transaction), "beginning");
  requireLMDB(mdb_dbi_open(transaction, NULL, 0, table), "opening the table");
  requireLMDB(mdb_txn_commit(transaction), "committing");
  return environment;
}

static void putAndCommit(MDB_env *environment, MDB_dbi table, uint64_t sequence, char *bytes, size_t count) {
  // In the order of the numbers, as bytes.
  unsigned char number[8];
  for (int index = 0; index < 8; index++) number[index] = (unsigned char)(sequence >> (56 - 8 * index));
  MDB_val key = {sizeof number, number}, value = {count, bytes};
  MDB_txn *transaction = NULL;
  requireLMDB(mdb_txn_begin(environment, NULL, 0, &transaction), "beginning");
  requireLMDB(mdb_put(transaction, table, &key, &value, 0), "putting");
  requireLMDB(mdb_txn_commit(transaction), "committing");
}

static int compareTimes(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return difference < 0 ? -1 : difference > 0;
}

int main(int count, char **arguments) {
  bool usesLMDB = count == 7 && strcmp(arguments[6], "lmdb") == 0;
  if (count != 6 && !usesLMDB) {
    fprintf(stderr, "usage: publisher URL STREAM FILE BYTES SECONDS [lmdb]\n");
    return 64;
  }
  const char *name = arguments[2];
  int size = atoi(arguments[4]);
  double seconds = atof(arguments[5]);
  if (size < 1 || size > 1000000 || seconds <= 0 || seconds > 600) {
    fprintf(stderr, "publisher: a message has 1 to 1000000 bytes, and a measurement takes at most 600 s\n");
    return 64;
  }
  natsConnection *connection = NULL;
  jsCtx *stream = NULL;
  jsOptions options;
  check(natsConnection_ConnectTo(&connection, arguments[1]), "connecting");
  check(jsOptions_Init(&options), "options");
  options.Wait = waitInMilliseconds;
  check(natsConnection_JetStream(&stream, connection, &options), "JetStream");
  MDB_dbi table = 0;
  MDB_env *environment = usesLMDB ? openLMDB(arguments[3], &table) : NULL;
  int file = usesLMDB ? 0 : open(arguments[3], O_WRONLY | O_CREAT | O_APPEND, 0600);
  char *bytes = malloc((size_t)size);
  double *times = malloc(sizeof(double) * maximumMessages);
  if (file < 0 || bytes == NULL || times == NULL) {
    perror("publisher: preparing");
    return 1;
  }
  memset(bytes, 'x', (size_t)size);
  char subject[256];
  snprintf(subject, sizeof subject, "%s.baseline", name);

  int messages = 0;
  long refusals = 0;
  uint64_t last = lastSequence(stream, name);
  double begun = now();
  double end = begun + seconds;
  while (now() < end && messages < maximumMessages) {
    double started = now();
    bool isAcknowledged = false;
    while (!isAcknowledged && now() < end) {
      jsPubOptions publishing;
      jsPubAck *acknowledgement = NULL;
      jsErrCode code = 0;
      jsPubOptions_Init(&publishing);
      publishing.ExpectLastSeq = last;
      natsStatus status = js_Publish(&acknowledgement, stream, subject, bytes, size, &publishing, &code);
      if (status == NATS_OK) {
        last = acknowledgement->Sequence;
        jsPubAck_Destroy(acknowledgement);
        isAcknowledged = true;
      } else if (code == JSStreamWrongLastSequenceErr) {
        refusals += 1;
        last = lastSequence(stream, name);
      } else {
        check(status, "publishing");
      }
    }
    if (!isAcknowledged) break;
    if (usesLMDB) {
      putAndCommit(environment, table, last, bytes, (size_t)size);
    } else {
      appendAndFlush(file, bytes, (size_t)size);
    }
    times[messages++] = now() - started;
  }
  double taken = now() - begun;
  qsort(times, (size_t)messages, sizeof(double), compareTimes);
  double median = messages ? times[messages / 2] : 0;
  double tail = messages ? times[(int)((double)messages * 0.99)] : 0;
  printf("{\"count\": %d, \"refusals\": %ld, \"seconds\": %.3f, \"median\": %.6f, \"p99\": %.6f}\n", messages, refusals, taken, median, tail);
  free(times);
  free(bytes);
  if (usesLMDB) {
    mdb_env_close(environment);
  } else {
    close(file);
  }
  jsCtx_Destroy(stream);
  natsConnection_Destroy(connection);
  nats_Close();
  return 0;
}
