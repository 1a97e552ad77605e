import DaybookEngine
import DaybookModel

/// The checks of an application's own; see ``StoreOptions/validate(_:_:)-(String,_)``.
package struct Validations: Sendable {
  package typealias Check = @Sendable (_ object: StoredObject, _ context: borrowing ValidationContext) throws -> Void

  private var checks: [(entity: String, check: Check)] = []

  mutating func add(_ entity: String, _ check: @escaping Check) {
    checks.append((entity, check))
  }
}

/// What is wrong with an object, by a check of the application's own.
public struct ValidationFailure: Error, CustomStringConvertible, Sendable {
  /// The fault, without the object.
  public let description: String
  /// The attributes and relationships that it is about.
  public let fields: [String]

  /// Makes the failure of a check.
  public init(_ description: String, fields: [String] = []) {
    (self.description, self.fields) = (description, fields)
  }
}

/// Reads the state after a commit, for a check of the application.
///
/// It is valid only in the check, and on the check's thread.
public struct ValidationContext: ~Copyable {
  package let builder: CommitBuilder

  // Never inlined, as the initializer of a transaction is not.
  @inline(never)
  init(builder: CommitBuilder) {
    self.builder = builder
  }

  /// Returns an object, or `nil` if it does not exist after the commit.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    try builder.perform { try builder.get(id) }
  }

  /// Returns the targets of a relationship, in their order if it is ordered, else by id.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object or the relationship does not exist.
  public func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    try builder.perform { try builder.targets(of: id, relationship) }
  }
}

extension Validations {
  /// Returns an error for each object that a check refuses.
  ///
  /// - Throws: The error of a look-up.
  package func failures(of builder: CommitBuilder, atMost limit: Int) throws -> [StoreError] {
    let entities = Set(checks.compactMap { builder.model.entity(named: $0.entity) })
    if entities.isEmpty { return [] }
    var failures: [StoreError] = []
    let context = ValidationContext(builder: builder)
    for key in try builder.changedObjects(of: entities) {
      guard let object = try context.get(key.id) else { continue }
      let entity = builder.model.entities[key.entity].name
      for entry in checks where entry.entity == entity {
        do {
          try entry.check(object, context)
        } catch {
          failures.append(StoreError(refusal: error, of: object, entity))
          if failures.count >= limit { return failures }
        }
      }
    }
    return failures
  }
}

private extension StoreError {
  init(refusal error: any Error, of object: StoredObject, _ entity: String) {
    let fields = (error as? ValidationFailure)?.fields ?? []
    self.init(
      .constraint, "\(entity) \(object.id): \(error).",
      failure: ConstraintFailure(
        entity: entity, object: object.id, fields: fields, rule: .validation,
        value: fields.count == 1 ? object[fields[0]] : .null))
  }
}
