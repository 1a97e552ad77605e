import DaybookModel

/// A fact that a context edited and that a later commit changed too.
///
/// Conflicts are found by attribute and by link, from what each side leads to: changes of different attributes of one
/// object do not conflict, nor do two equal changes, nor a change with one that was changed back.
public struct EditingConflict: Hashable, Sendable {
  /// The name of the object's entity.
  public let entity: String
  /// The object that both sides changed.
  public let object: ObjectID
  /// Which fact both sides changed, and how.
  public let kind: Kind
  /// The positions of the conflicting commits, rising.
  public let positions: [Position]

  /// The fact that both sides changed, with both changes.
  public enum Kind: Hashable, Sendable {
    /// Both set the same attribute.
    case attribute(String, mine: Value, theirs: Value)
    /// Both changed a to-one relationship; `nil` stands for no target.
    ///
    /// Either both set its target, or both took the same partner of a one-to-one relationship, of which this is the
    /// side that names the owner.
    case target(String, mine: ObjectID?, theirs: ObjectID?)
    /// One side related two objects by a to-many relationship, and the other side unrelated them.
    case link(String, ObjectID, isMineRelated: Bool)
    /// Another commit deleted an object that the context changes, relates or inserts.
    case deletedByOthers
    /// The context deletes an object that another commit changed or named in a link.
    case deletedHere
    /// A later model removed the entity, attribute, relationship or named event of this name, which the context uses.
    ///
    /// Such an edit can only be left out: a decision for it is refused with the code `notFound`.
    case removedByModel(String)
  }
}

extension EditingConflict: CustomStringConvertible {
  public var description: String {
    let commits = positions.map { "\($0)" }.joined(separator: ", ")
    let place = "\(entity) \(object)"
    switch kind {
    case .attribute(let name, let mine, let theirs):
      return "\(place): \(name) is \(mine) here and \(theirs) since commit \(commits)"
    case .target(let name, let mine, let theirs):
      func text(_ id: ObjectID?) -> String { id.map { "\($0)" } ?? "nothing" }
      return "\(place): \(name) is \(text(mine)) here and \(text(theirs)) since commit \(commits)"
    case .link(let name, let target, let isMineRelated):
      return
        "\(place): \(name) \(target) is \(isMineRelated ? "there here, and not" : "not there here, but is") since \(commits)"
    case .deletedByOthers: return "\(place) is changed here and was deleted by commit \(commits)"
    case .deletedHere: return "\(place) is deleted here and was changed by commit \(commits)"
    case .removedByModel(let name): return "\(place) is changed here, and the model of commit \(commits) has no \(name)"
    }
  }
}

/// An error that lists the undecided conflicts: nothing was saved.
public struct EditingConflictError: Error, CustomStringConvertible, Sendable {
  /// The undecided conflicts.
  public let conflicts: [EditingConflict]

  package init(conflicts: [EditingConflict]) { self.conflicts = conflicts }

  public var description: String {
    let shown = conflicts.prefix(20).map { "  \($0)" }.joined(separator: "\n")
    let more = conflicts.count > 20 ? "\n  and \(conflicts.count - 20) more" : ""
    return "Later commits changed what is edited here.\n\(shown)\(more)\nSave again with a policy that decides."
  }
}

/// How saving and rebasing decide conflicts: all of them, or a single one.
public enum ConflictPolicy: Sendable {
  /// Nothing is saved, and the error lists the conflicts.
  case refuse
  /// The committed values stay: the conflicting edits are left out, and so are deletes that would delete an object with
  /// such a value.
  case theirs
  /// The edits overwrite the committed values. An object that another commit deleted is inserted again as it was when
  /// it was deleted, with the links whose other end still exists.
  case mine
  /// Sets another value in a conflict about an attribute; for all others same as ``mine``.
  case value(Value)
  /// The closure decides each conflict separately. If it returns ``refuse`` for one, nothing is saved.
  case decide(@Sendable (EditingConflict) throws -> ConflictPolicy)

  /// Returns the decision about one conflict, which is not ``decide(_:)``.
  func decision(about conflict: EditingConflict) throws -> ConflictPolicy {
    guard case .decide(let decide) = self else { return self }
    return try decide(conflict).decision(about: conflict)
  }

  /// Whether it is ``theirs``.
  package var isTheirs: Bool { if case .theirs = self { true } else { false } }
}
