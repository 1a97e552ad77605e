import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// A follower of one request, whose results it compares with the reference's.
protocol RequestFollower {
  var plain: PlainRequest { get }
  /// Whether the model has all names of the request, and values of the wanted types under them.
  var isAnswered: Bool { get }
  func step() throws
}

/// Applies the same commits to a store and the reference, with followers of random requests.
///
/// All results and differences are compared with the reference's states.
final class LiveRun {
  struct Settings {
    var stepCount = 120
    var changesModel = false
    /// The maximum number of concurrent followers.
    var followerLimit = 8
  }

  let settings: Settings
  let feed: FeedRun
  private var random: SeededRandom
  private var results: [LiveFollower] = []
  private var readers: [FeedFollower] = []
  private var values: [ValueFollower] = []
  private var children: [ChildrenFollower] = []

  init(seed: UInt64, settings: Settings = Settings()) throws {
    self.settings = settings
    random = SeededRandom(seed: ~seed)
    feed = try FeedRun(seed: seed)
  }

  func run() throws {
    for _ in 0..<settings.stepCount {
      if settings.changesModel, random.isTrue(percent: 5) {
        try feed.changeModel()
        // They are compared by the names of the relationship, which the model may have changed.
        children = []
      }
      for _ in 0..<random.number(0...3) { try feed.commit() }
      try follow()
      try unfollow()
      try step()
    }
    feed.store.close()
  }

  /// Opens new followers.
  private func follow() throws {
    let count = results.count + readers.count + values.count + children.count
    guard count < settings.followerLimit || random.isTrue(percent: 10) else { return }
    let plain = request()
    switch random.number(0...9) {
    case 0...3: results.append(try LiveFollower(plain, of: feed, random: SeededRandom(seed: random.next())))
    case 4...6: readers.append(FeedFollower(plain, of: feed, random: &random))
    case 7, 8: if let value = try ValueFollower(plain, of: feed, random: &random) { values.append(value) }
    default: if let child = try ChildrenFollower(of: feed, random: &random) { children.append(child) }
    }
  }

  /// Equal requests share an ordering, so some are drawn twice.
  private func request() -> PlainRequest {
    let known = results.map(\.plain) + readers.map(\.plain)
    let fitting = known.filter { (try? feed.store.fetch($0.request)) != nil }
    if !fitting.isEmpty, random.isTrue(percent: 25) { return random.pick(fitting) }
    return feed.requests.liveRequest(feed.reference.state)
  }

  private func unfollow() throws {
    guard random.isTrue(percent: 12) else { return }
    switch random.number(0...3) {
    case 0: if !results.isEmpty { results.remove(at: random.number(0...(results.count - 1))) }
    case 1: if !readers.isEmpty { readers.remove(at: random.number(0...(readers.count - 1))) }
    case 2: if !values.isEmpty { values.remove(at: random.number(0...(values.count - 1))) }
    default: if !children.isEmpty { children.remove(at: random.number(0...(children.count - 1))) }
    }
  }

  /// Lets some followers read and advance.
  private func step() throws {
    try step(&results)
    try step(&readers)
    try step(&values)
    for child in children where random.isTrue(percent: 50) { try child.step() }
  }

  /// Lets about half of the followers advance.
  ///
  /// Removes most of those whose requests the model does not support; the others continue if a later model does. They must
  /// receive an error.
  private func step<Follower: RequestFollower>(_ followers: inout [Follower]) throws {
    var kept: [Follower] = []
    for follower in followers {
      if random.isTrue(percent: 50) {
        kept.append(follower)
        continue
      }
      do {
        try follower.step()
        kept.append(follower)
      } catch let error as StoreError where error.code == .badRequest {
        guard !follower.isAnswered else { throw Mismatch("\(follower.plain)\n\(error)") }
        if random.isTrue(percent: 75) { kept.append(follower) }
      } catch {
        throw Mismatch("\(type(of: follower)): \(follower.plain)\n\(error)\nat head \(feed.head)")
      }
    }
    followers = kept
  }
}
