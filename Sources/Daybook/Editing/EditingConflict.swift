import DaybookModel

/// Something that a context edited and others committed a change of since.
///
/// Conflicts are found by attribute and by link: two who change different attributes of one object do not conflict, nor
/// do two who make the same change.
public struct EditingConflict: Hashable, Sendable {
  /// The name of the object's entity.
  public let entity: String
  /// The object that both changed.
  public let object: ObjectID
  /// What both changed of it.
  public let kind: Kind
  /// The commits of others that stand in the way, rising.
  public let positions: [Position]

  /// What both sides changed, and how.
  public enum Kind: Hashable, Sendable {
    /// Both gave an attribute a value.
    case attribute(String, mine: Value, theirs: Value)
    /// Both gave a to-one relationship a target, nil for none; or both took the same partner of a one-to-one
    /// relationship, of which this is the side that names the owner.
    case target(String, mine: ObjectID?, theirs: ObjectID?)
    /// One related two objects by a to-many relationship, and the other one unrelated them.
    case link(String, ObjectID, isMineRelated: Bool)
    /// Others deleted an object that the context changes, relates or inserts.
    case deletedByOthers
    /// The context deletes an object that others changed, or named in a link.
    case deletedHere
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
    }
  }
}

/// Conflicts that nobody has decided: nothing was saved.
public struct EditingConflictError: Error, CustomStringConvertible, Sendable {
  /// The conflicts that nobody has decided.
  public let conflicts: [EditingConflict]

  public var description: String {
    let shown = conflicts.prefix(20).map { "  \($0)" }.joined(separator: "\n")
    let more = conflicts.count > 20 ? "\n  and \(conflicts.count - 20) more" : ""
    return "Others committed changes of what is edited here.\n\(shown)\(more)\nSave again with a policy that decides."
  }
}

/// What becomes of conflicts.
public enum ConflictPolicy: Sendable {
  /// Nothing is saved, and the error lists them.
  case refuse
  /// What others committed stays: the edits in conflict are left out.
  case theirs
  /// The edits overwrite what others committed. An object that they deleted comes back as it was when it was deleted,
  /// with the links to what is still there.
  case mine
  /// Each is decided on its own.
  case decide(@Sendable (EditingConflict) throws -> ConflictResolution)

  func resolution(of conflict: EditingConflict) throws -> ConflictResolution? {
    switch self {
    case .refuse: nil
    case .theirs: .theirs
    case .mine: .mine
    case .decide(let decide): try decide(conflict)
    }
  }
}

/// How one conflict is decided.
public enum ConflictResolution: Hashable, Sendable {
  /// What others committed stays.
  case theirs
  /// The edit overwrites it.
  case mine
  /// Another value, for a conflict about an attribute; for all others the same as ``mine``.
  case value(Value)
}
