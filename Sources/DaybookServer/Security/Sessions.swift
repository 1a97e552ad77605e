#if Server

import DaybookModel

/// The sessions of browsers that signed in; they end with the server, and with the token that began them.
final class Sessions: Sendable {
  /// The life of a session, in seconds.
  static let lifeInSeconds = 12 * 60 * 60
  /// The tries with an unknown token that the clients of one address have in a minute.
  static let triesPerMinute = 10
  /// The most addresses whose tries are counted; all others count as one address.
  private static let maximumAddressCount = 10_000
  /// The most sessions; the oldest one ends for a new one.
  private static let maximumCount = 10_000

  private struct Session {
    let entry: TokenFile.Entry
    let principal: Principal
    let end: ContinuousClock.Instant
  }

  private struct State {
    var sessions: [String: Session] = [:]
    /// The times of the tries with unknown tokens, by address.
    var tries: [String: [ContinuousClock.Instant]] = [:]
  }

  private let state = Locked(State())
  private let tokens: TokenFile
  private let clock: @Sendable () -> ContinuousClock.Instant

  /// - Parameter clock: Returns the present time; tests give another one.
  init(_ tokens: TokenFile, clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.tokens = tokens
    self.clock = clock
  }

  /// Notes a try to sign in with an unknown token.
  ///
  /// A known token is no try: its owner signs in, whatever others do. Guesses of 256 bits are hopeless at any rate;
  /// the limit keeps them out of the log, and off the processor.
  ///
  /// - Parameter address: The address of the client.
  /// - Throws: `Problem` with the status 429 if there were too many within a minute from this address.
  func noteFailedTry(from address: String) throws {
    let now = clock()
    let isTooMany = state.withLock { state in
      if state.tries.count >= Sessions.maximumAddressCount {
        state.tries = state.tries.filter { $0.value.contains { $0 >= now - .seconds(60) } }
      }
      let isKnown = state.tries[address] != nil || state.tries.count < Sessions.maximumAddressCount
      let key = isKnown ? address : ""
      var tries = state.tries[key, default: []].filter { $0 >= now - .seconds(60) }
      let isTooMany = tries.count >= Sessions.triesPerMinute
      if !isTooMany { tries.append(now) }
      state.tries[key] = tries
      return isTooMany
    }
    guard isTooMany else { return }
    throw Problem(
      .tooManyRequests, "There were too many tries to sign in.", advice: "Wait a minute.", retryAfter: 60)
  }

  /// Whether a session has a name of its own, because the token that a server makes has none.
  var haveNames: Bool { tokens.isMade }

  /// Begins a session.
  ///
  /// - Parameter name: The author of what the session writes; `nil` for the token's name.
  /// - Returns: Its name, for the cookie; `nil` for an unknown token.
  /// - Throws: `Problem` with the status 403 for a name beside a token that has one.
  func begin(with token: String, as name: String? = nil) throws -> (id: String, principal: Principal)? {
    guard let entry = tokens.entry(of: token) else { return nil }
    if name != nil, !haveNames { throw Problem(.forbidden, "The token says who writes.", parameter: "name") }
    let principal = name.map { Principal(name: $0, role: entry.principal.role) } ?? entry.principal
    let (id, now) = (RandomToken.make(), clock())
    state.withLock { state in
      state.sessions = state.sessions.filter { $0.value.end > now }
      if state.sessions.count >= Sessions.maximumCount,
        let oldest = state.sessions.min(by: { $0.value.end < $1.value.end })
      {
        state.sessions[oldest.key] = nil
      }
      state.sessions[id] = Session(
        entry: entry, principal: principal, end: now + .seconds(Sessions.lifeInSeconds))
    }
    return (id, principal)
  }

  /// Returns whose session it is, or `nil` if it has ended.
  func principal(of id: String) -> Principal? {
    guard let session = state.withLock({ $0.sessions[id] }), session.end > clock(), tokens.contains(session.entry)
    else { return nil }
    return session.principal
  }

  func end(_ id: String) { state.withLock { $0.sessions[id] = nil } }
}

#endif
