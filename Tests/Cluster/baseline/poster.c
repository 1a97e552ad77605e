// Writes to a node over HTTP from several threads, each on a connection of its own that stays open, and measures the time
// from sending a commit to its answer. A client that cost much would be measured instead of the node.
//
//     poster PORT TOKEN LIST THREADS SECONDS NAME
//
// Each commit inserts an item into the list. It prints one JSON object: commits, refusals, seconds, median, 99th percentile.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { maximumThreads = 64, maximumCommits = 200000, bufferSize = 16384 };

typedef struct {
  pthread_t thread;
  int number;
  int commits;
  int refusals;
  double *times;
} Writer;

static int port;
static const char *token, *list, *name;
static double endTime;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int openConnection(void) {
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  int one = 1;
  struct timeval limit = {.tv_sec = 30};
  if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) != 0) fail("poster: connecting");
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  return connection;
}

// Reads one answer with a Content-Length and returns its status.
static int readAnswer(int connection, char *buffer) {
  size_t filled = 0;
  for (;;) {
    ssize_t count = recv(connection, buffer + filled, bufferSize - 1 - filled, 0);
    if (count <= 0) fail("poster: reading an answer");
    filled += (size_t)count;
    buffer[filled] = 0;
    char *body = strstr(buffer, "\r\n\r\n");
    char *length = strcasestr(buffer, "\r\nContent-Length:");
    if (body != NULL && length != NULL && filled >= (size_t)(body + 4 - buffer) + (size_t)atol(length + 17)) return atoi(buffer + 9);
    if (filled == bufferSize - 1) {
      fprintf(stderr, "poster: the answer is too long\n");
      exit(1);
    }
  }
}

static void *write_commits(void *argument) {
  Writer *writer = argument;
  char body[512], request[2048], buffer[bufferSize];
  int connection = openConnection();
  while (now() < endTime && writer->commits < maximumCommits) {
    int bodySize = snprintf(body, sizeof body, "{\"insert\": \"Item\", \"values\": {\"name\": \"%s %d %d\", \"done\": false}, \"relate\": {\"list\": \"%s\"}}",
                            name, writer->number, writer->commits, list);
    int size = snprintf(request, sizeof request,
                        "POST /api/commits HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"
                        "Content-Length: %d\r\n\r\n%s", port, token, bodySize, body);
    double started = now();
    if (send(connection, request, (size_t)size, MSG_NOSIGNAL) != size) fail("poster: sending");
    int status = readAnswer(connection, buffer);
    if (status == 201) {
      writer->times[writer->commits++] = now() - started;
    } else if (status == 409 || status == 503) {
      writer->refusals += 1;
    } else {
      fprintf(stderr, "poster: %s\n", buffer);
      exit(1);
    }
  }
  close(connection);
  return NULL;
}

static int compareTimes(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return difference < 0 ? -1 : difference > 0;
}

int main(int count, char **arguments) {
  if (count != 7) {
    fprintf(stderr, "usage: poster PORT TOKEN LIST THREADS SECONDS NAME\n");
    return 64;
  }
  port = atoi(arguments[1]);
  token = arguments[2];
  list = arguments[3];
  int threads = atoi(arguments[4]);
  double seconds = atof(arguments[5]);
  name = arguments[6];
  if (threads < 1 || threads > maximumThreads || seconds <= 0 || seconds > 600 || strlen(token) > 128 || strlen(name) > 64 || strlen(list) != 36) {
    fprintf(stderr, "poster: 1 to %d threads, at most 600 s, and a list's whole id\n", maximumThreads);
    return 64;
  }
  double begun = now();
  endTime = begun + seconds;
  Writer writers[maximumThreads] = {0};
  for (int number = 0; number < threads; number++) {
    writers[number].number = number;
    writers[number].times = malloc(sizeof(double) * maximumCommits);
    if (writers[number].times == NULL || pthread_create(&writers[number].thread, NULL, write_commits, &writers[number]) != 0) fail("poster: starting");
  }
  int commits = 0, refusals = 0;
  for (int number = 0; number < threads; number++) {
    pthread_join(writers[number].thread, NULL);
    commits += writers[number].commits;
    refusals += writers[number].refusals;
  }
  double taken = now() - begun;
  double *times = malloc(sizeof(double) * (size_t)(commits + 1));
  if (times == NULL) fail("poster: collecting");
  int collected = 0;
  for (int number = 0; number < threads; number++) {
    memcpy(times + collected, writers[number].times, sizeof(double) * (size_t)writers[number].commits);
    collected += writers[number].commits;
  }
  qsort(times, (size_t)commits, sizeof(double), compareTimes);
  printf("{\"count\": %d, \"refusals\": %d, \"seconds\": %.3f, \"median\": %.6f, \"p99\": %.6f}\n", commits, refusals, taken,
         commits ? times[commits / 2] : 0, commits ? times[(int)((double)commits * 0.99)] : 0);
  return 0;
}
