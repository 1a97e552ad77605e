import DaybookEngine
import DaybookModel
import DaybookQuery

/// A reader of objects at one position: the one that all verbs of ``ObjectReader`` use.
///
///     let count = try store.read { reader in
///       try reader.fetch(Recipe.all).count + reader.count(Tag.all)
///     }
///
/// It is valid only in the closure or the call that receives it, and on the thread of this call. Keep a closure of
/// `store.read` short: while it runs, new commits let the files grow instead of reusing space.
///
/// The reader of a write, and of a check of its objects, reads the state with what the write has changed so far. The
/// readers of a commit that a projection applies read the states before and after the commit.
public struct StoreReader: ~Copyable {
  package let reader: Reader
  /// The position of the objects; in a write, and in the checks at its end, the position of the commit before it.
  public let position: Position
  /// The commit in progress with which the objects are read, if there is one.
  let pending: CommitBuilder?
  /// The states around a commit, of which it reads one; `nil` for a state that has all rows.
  private let states: StoredStates?
  /// Whether the rows of constraints are current; they are written at the end of a commit.
  private let usesConstraints: Bool
  /// What reads the objects of projections; for a reader of a store, all that it reads beside objects.
  package let source: (any DerivedSource)?
  /// The editing context that is read, from which rows read related objects later.
  package let context: (any AnyObject & Sendable)?

  /// - Parameters:
  ///   - states: The states around a commit, if one of them is read and its indexes may not have been made.
  ///   - pending: The commit in progress that is read.
  ///   - usesConstraints: Whether the rows of constraints are current.
  // Never inlined: see ``Transaction``.
  @inline(never)
  init(
    _ reader: Reader, at position: Position, source: (any DerivedSource)? = nil, of states: StoredStates? = nil,
    pending: CommitBuilder? = nil, context: (any AnyObject & Sendable)? = nil, usesConstraints: Bool = true
  ) {
    self.reader = reader
    self.position = position
    self.source = source
    self.states = states
    self.pending = pending
    self.context = context
    self.usesConstraints = usesConstraints
  }

  /// Makes a reader of a commit in progress, which has begun.
  ///
  /// - Parameter source: What reads the objects of projections, at their checkpoint; `nil` for none of them.
  @inline(never)
  package init(pending builder: CommitBuilder, source: (any DerivedSource)?) {
    self.init(
      builder.reader, at: Position(builder.writer.position.number - 1), source: source, pending: builder,
      usesConstraints: false)
  }

  /// The model by which the objects are read: the one of their position, but the store's present one in a projection.
  public var model: Model { reader.model.model }

  package var resolvedModel: ResolvedModel { reader.model }

  /// Whether a verb of the same closure may change the state while it is read.
  private var mayChange: Bool { !usesConstraints }
}

extension StoreReader: ObjectReader {
  /// Calls a closure with this reader.
  @inlinable
  public func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result { try body(self) }
}

/// The verbs without types.
extension StoreReader {
  /// Returns the object with an identity, or `nil` if it does not exist.
  @usableFromInline
  package func object(_ id: ObjectID) throws -> StoredObject? {
    guard let pending else { return try reader.object(id) ?? derivedObject(id) }
    return try pending.perform { try pending.get(id) ?? derivedObject(id) }
  }

  private func derivedObject(_ id: ObjectID) throws -> StoredObject? {
    guard id.isDerived, let source else { return nil }
    return try source.readDerived(id, for: self) { try $0.object(id) } ?? nil
  }

  /// Returns the object with an identity.
  ///
  /// - Throws: `StoreError` with the code `notFound` if it does not exist.
  @usableFromInline
  package func requireObject(_ id: ObjectID) throws -> StoredObject {
    if let object = try object(id) { return object }
    throw StoreError(.notFound, "There is no object \(id) at \(position).")
  }

  /// Returns the targets of a relationship, in their order if it is ordered, else by id.
  @usableFromInline
  package func linkTargets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    guard let pending else {
      guard let key = try reader.find(id) else {
        if let targets = try derivedTargets(of: id, relationship) { return targets }
        throw StoreError(.notFound, "There is no object \(id).")
      }
      return try reader.targets(of: reader.model.requireRelationship(relationship, of: key.entity), from: id)
    }
    return try pending.perform {
      if id.isDerived, try pending.find(id) == nil, let targets = try derivedTargets(of: id, relationship) {
        return targets
      }
      return try pending.targets(of: id, relationship)
    }
  }

  private func derivedTargets(of id: ObjectID, _ relationship: String) throws -> [ObjectID]? {
    guard id.isDerived, let source else { return nil }
    return try source.readDerived(id, for: self) { try $0.linkTargets(of: id, relationship) }
  }

  /// Returns the result of a request, as objects.
  package func fetch(_ request: FetchRequest) throws -> Results<StoredObject> {
    if let derived = try readDerived(of: request.entity, { try $0.fetch(request) }) { return derived }
    let request = try timed(request)
    return try executing { try $0.fetch(request, at: position, usesConstraints: usesConstraints) }
  }

  /// Calls a closure with the objects of a result and the names of their sections, until it returns `false`.
  package func forEachObject(
    in request: FetchRequest, _ body: (_ object: StoredObject, _ section: String) throws -> Bool
  ) throws {
    if mayChange {
      // The closure may call verbs, which change the tables below a cursor.
      for section in try fetch(request).sections {
        for object in section.rows where try !body(object, section.name) { return }
      }
      return
    }
    let isDerived: Void? = try readDerived(of: request.entity) { try $0.forEachObject(in: request, body) }
    if isDerived != nil { return }
    let request = try timed(request)
    try executing { try $0.forEachObject(in: request, body) }
  }

  /// Returns the number of objects that match a request, within its limit and offset.
  package func count(_ request: FetchRequest) throws -> Int {
    if let count = try readDerived(of: request.entity, { try $0.count(request) }) { return count }
    let request = try timed(request)
    return try executing { try $0.executor(of: request, usesConstraints: usesConstraints).count() }
  }

  /// Returns the plan of a request in one line.
  package func explain(_ request: FetchRequest) throws -> String {
    if let plan = try readDerived(of: request.entity, { try $0.explain(request) }) { return plan }
    let request = try timed(request)
    return try executing { try $0.explanation(of: request, usesConstraints: usesConstraints) }
  }

  /// Returns what a closure reads of an entity, or `nil` if it is one of this reader's model.
  private func readDerived<Result>(
    of entity: String, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result? {
    guard reader.model.entity(named: entity) == nil, let source else { return nil }
    return try source.readDerived(of: entity, for: self, body)
  }

  /// Calls a closure with the reader of the rows of objects and links, with all that a write has changed.
  package func settled<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    guard let pending else { return try body(reader) }
    return try pending.perform {
      try pending.fold.settle()
      return try body(reader)
    }
  }

  /// Calls a closure with the reader on which requests are executed, which has the rows of indexes too.
  private func executing<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    guard let pending else { return try body(indexed()) }
    return try settled { reader in try pending.allowance.spend { try body(reader) } }
  }

  /// Returns the reader with the rows of indexes and constraints, which may not have been made yet.
  private func indexed() throws -> Reader {
    guard let states else { return reader }
    try states.requireIndexes()
    return reader === states.after ? reader : try states.before()
  }
}
