import DaybookEngine
import DaybookModel
import DaybookQuery
import WorkLimits

/// A prepared ``CommitFilter``, which tests commits one after the other.
struct CommitMatcher {
  private let filter: CommitFilter
  private let author: TextPart?
  private let message: TextPart?
  private let condition: DynamicFilter?
  /// The names of the commit that is asked for as the cause; `nil` if none is.
  private let causes: Set<CommitReference>?
  /// Whether ``condition`` reads values of events, and of metadata.
  private let readsEvents: Bool
  private let readsMetadata: Bool
  /// The names that were resolved last.
  private var names: ResolvedNames?
  /// Counts events: one commit may have a million, each with a short search of its own.
  private var work = WorkCounter()

  /// The tags of the filter's names in one model.
  private struct ResolvedNames {
    let names: EventNames
    /// The tags of the entity and of its descendants; none if the model lacks it.
    let entities: Set<Tag>
    /// The type of recorded events, or `nil` if the model lacks it.
    let event: Tag?
  }

  /// - Parameters:
  ///   - models: The names in each model that the store had.
  ///   - causes: The position and the id of the commit that the filter asks for as the cause.
  /// - Throws: `StoreError` with the code `badRequest` for a condition that no value can meet, which points at it.
  init(_ filter: CommitFilter, models: [EventNames], causes: Set<CommitReference>?) throws {
    self.filter = filter
    self.causes = causes
    author = filter.author.map { TextPart($0, ignoresCase: filter.ignoresCase) }
    message = filter.message.map { TextPart($0, ignoresCase: filter.ignoresCase) }
    do throws(QueryError) {
      condition = try filter.condition.map { written throws(QueryError) in
        try DynamicFilter(written, roots: CommitMatcher.roots) { path in
          guard path.root == CommitMatcher.event, !models.contains(where: { $0.hasAttribute(named: path.name) }) else {
            return nil
          }
          return "no event has had a value “\(path.name)”"
        }
      }
    } catch {
      throw StoreError(.badRequest, "\(error)")
    }
    readsEvents = condition?.paths.contains { $0.root == CommitMatcher.event } ?? false
    readsMetadata = condition?.paths.contains { $0.root == CommitMatcher.metadata } ?? false
  }

  private static let event = "event"
  private static let metadata = "metadata"
  private static let roots = [metadata, event]

  /// Whether a commit must have an event that meets conditions.
  var isOfEvents: Bool {
    filter.entity != nil || filter.kind != nil || filter.event != nil || filter.object != nil || readsEvents
  }

  /// Returns whether a commit meets the filter.
  ///
  /// - Parameter names: The names in the model of the commit.
  /// - Throws: `MalformedBytes` if an event is damaged; `WorkLimitExceeded`.
  mutating func matches(_ commit: CommitView, names: EventNames) throws -> Bool {
    guard try matches(commit.header) else { return false }
    if isOfEvents, commit.header.isModel { return false }
    let metadata = try metadata(of: commit.header)
    guard isOfEvents else { return try condition?.matches { metadata[$0.name] ?? .null } ?? true }
    var events = commit.events
    while !events.isAtEnd {
      if try matches(events.next(), metadata: metadata, names: names) { return true }
    }
    return false
  }

  /// Returns whether the conditions on a commit hold that its header decides.
  private func matches(_ header: CommitHeader) throws -> Bool {
    if filter.isModel, !header.isModel { return false }
    if let since = filter.since, header.time < since { return false }
    if let until = filter.until, header.time > until { return false }
    if let causes, !(header.reasons.causation.map(causes.contains) ?? false) { return false }
    if let correlation = filter.correlation, !(header.reasons.correlation.map { equalBytes($0, correlation) } ?? false)
    {
      return false
    }
    if let author, try !(header.author.map(author.isFound) ?? false) { return false }
    if let message, try !(header.message.map(message.isFound) ?? false) { return false }
    return true
  }

  /// Returns the metadata of a commit; none if the condition does not read them.
  func metadata(of header: CommitHeader) throws -> CommitMetadata {
    readsMetadata ? try header.reasons.decodedMetadata() : CommitMetadata()
  }

  /// Returns whether an event of a commit meets the conditions on events.
  ///
  /// - Parameter metadata: What ``metadata(of:)`` returns for the commit.
  mutating func matches(_ event: EventView, metadata: CommitMetadata, names: EventNames) throws -> Bool {
    try work.step()
    if let kind = filter.kind, event.kind.decoded != kind { return false }
    if filter.entity != nil, !resolved(in: names).entities.contains(event.entity) { return false }
    if filter.event != nil, resolved(in: names).event.map({ $0 != event.eventType }) ?? true { return false }
    if let object = filter.object, !event.names(object) { return false }
    guard let condition else { return true }
    return try condition.matches { path in
      path.root == CommitMatcher.event
        ? try CommitMatcher.value(of: path.name, in: event, names) : metadata[path.name] ?? .null
    }
  }

  private mutating func resolved(in names: EventNames) -> ResolvedNames {
    if let present = self.names, present.names === names { return present }
    // A model that lacks the name has no such events.
    let entities = filter.entity.flatMap { try? names.entity($0).number }.map { names.tags(ofMembersOf: $0) }
    let resolved = ResolvedNames(
      names: names, entities: entities ?? [], event: filter.event.flatMap { names.eventType(named: $0) })
    self.names = resolved
    return resolved
  }

  /// Returns the value that an event gives to an attribute, or null if it gives none.
  private static func value(of name: String, in event: EventView, _ names: EventNames) throws -> Value {
    let entity = try names.entity(event.entity).number
    if let type = event.eventType {
      // A recorded event without the attribute gives it no value.
      guard let tag = try? names.eventType(type, about: entity).attribute(name).tag else { return .null }
      return try FieldReader.field(tag, in: event.fields)?.value() ?? .null
    }
    // An entity without the attribute gives it no value.
    guard let tag = try? names.attribute(name, of: entity).tag else { return .null }
    var reader = FieldReader(event.fields)
    switch event.kind {
    case .inserted: return try FieldReader.field(tag, in: event.fields)?.value() ?? .null
    case .renamed, .set:
      while !reader.isAtEnd {
        _ = try reader.next()
        let new = try reader.next()
        if new.tag == tag { return new.form == .absent ? .null : try new.value() }
      }
      return .null
    case .related, .unrelated, .deleted, .recorded, .unknown: return .null
    }
  }
}
