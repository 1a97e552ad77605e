import DaybookEngine
import DaybookModel

/// Checks of an application's own, for what a rule of the model cannot express.
///
///     var options = StoreOptions()
///     options.validations.add("Book") { book, context in
///       guard case .string(let number) = book["isbn"], !isValid(number) else { return }
///       throw ValidationFailure("\(number) is not an ISBN", fields: ["isbn"])
///     }
///
/// Rules belong to the model: each program keeps them, in each language. A check is code of this program, and other programs
/// that write to the store do not run it. It runs at the end of a commit for each object of its entity that the commit
/// changed or linked and that still exists, after the rules of the model, and in the previews of editing contexts. An error
/// that it throws refuses the commit.
public struct Validations: Sendable {
  /// Checks an object in the state after the commit.
  ///
  /// Throws what is wrong with it: a ``ValidationFailure``, or any other error.
  public typealias Check = @Sendable (_ object: StoredObject, _ context: borrowing ValidationContext) throws -> Void

  private var checks: [(entity: String, check: Check)] = []

  /// Makes a list of no checks.
  public init() {}

  /// Adds a check of the objects of an entity.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity. Objects of an entity that the model lacks are never checked.
  ///   - check: Called for each object of the entity that a commit changed.
  public mutating func add(_ entity: String, _ check: @escaping Check) {
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
