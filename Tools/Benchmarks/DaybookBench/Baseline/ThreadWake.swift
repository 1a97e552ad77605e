import CBaseline

/// A thread that sleeps on a condition is woken: the least time between two threads, with nothing to hand over.
final class ThreadWake: Contestant {
  let name = PeerName.threadWake
  let role = Role.engine
  private let count: Int

  /// How long the thread sleeps before it is woken, about as long as a durable commit takes.
  private static let pause = Duration.microseconds(300)

  init(count: Int) {
    self.count = count
  }

  func run(round: Int) throws -> Work {
    let latencies = try BaselineStore.measureWakes(count: count, pause: Self.pause)
    return Work(operations: count, elapsed: latencies.reduce(.zero, +), latencies: latencies)
  }
}
