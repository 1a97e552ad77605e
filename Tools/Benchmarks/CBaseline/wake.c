// For the clock, which plain C11 does not have.
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>

#include "CBaseline.h"
#include "monotonic.h"

/// What the two threads share; the lock protects the numbers.
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  /// How often the thread was asked to wake, and how often it woke.
  size_t asked, woken;
  /// The number of wakes after which the thread ends.
  size_t count;
  /// When the present wake was asked for.
  uint64_t start;
  uint64_t *nanoseconds;
} wake_state;

static void *sleep_and_wake(void *context) {
  wake_state *state = context;
  pthread_mutex_lock(&state->lock);
  while (state->woken < state->count) {
    while (state->asked == state->woken) pthread_cond_wait(&state->changed, &state->lock);
    state->nanoseconds[state->woken++] = monotonic_nanoseconds() - state->start;
    pthread_cond_broadcast(&state->changed);
  }
  pthread_mutex_unlock(&state->lock);
  return NULL;
}

static void wake_once(wake_state *state, uint64_t pause) {
  struct timespec rest = {.tv_sec = (time_t)(pause / 1000000000), .tv_nsec = (long)(pause % 1000000000)};
  nanosleep(&rest, NULL);
  pthread_mutex_lock(&state->lock);
  state->start = monotonic_nanoseconds();
  state->asked++;
  pthread_cond_broadcast(&state->changed);
  while (state->woken < state->asked) pthread_cond_wait(&state->changed, &state->lock);
  pthread_mutex_unlock(&state->lock);
}

int baseline_measure_wakes(size_t count, uint64_t pause, uint64_t *nanoseconds) {
  wake_state state = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .count = count,
                      .nanoseconds = nanoseconds};
  pthread_t thread;
  int error = pthread_create(&thread, NULL, sleep_and_wake, &state);
  if (error != 0) return error;
  for (size_t index = 0; index < count; index++) wake_once(&state, pause);
  return pthread_join(thread, NULL);
}
