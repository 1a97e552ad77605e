import DaybookMacros
import DaybookModel
import DaybookTools

/// The JSON of a form's state: its object with the pending edits, what can be undone, what conflicts, and the record that
/// opens the form again.
enum FormState {
  static func json(of form: OpenForm) throws -> JSONValue {
    try form.withRecord { try json(of: form, $0) }
  }

  private static func json(of form: OpenForm, _ record: FormRecord) throws -> JSONValue {
    let context = form.context
    return .object([
      ("form", .string(form.form.name)), ("isNew", .boolean(form.isNew)), ("object", try object(form)),
      ("canUndo", .boolean(context.stepCount > form.firstSteps)),
      ("canRedo", .boolean(context.canRedo)), ("hasChanges", .boolean(context.hasChanges)),
      ("conflicts", .array(try form.conflicts.map { try json(of: $0, in: form) })), ("record", record.json),
    ])
  }

  private static func object(_ form: OpenForm) throws -> JSONValue {
    guard let object = try form.context.get(form.object) else { return .null }
    var encoder = try form.context.store.read { ObjectEncoder($0.resolvedModel) }
    return .object(try encoder.members(of: object, in: form.context))
  }

  /// The name by which a page decides a conflict.
  static func key(of conflict: EditingConflict) -> String {
    switch conflict.kind {
    case .attribute(let name, _, _), .target(let name, _, _), .removedByModel(let name):
      "\(conflict.object)/\(name)"
    case .link(let name, let target, _): "\(conflict.object)/\(name)/\(target)"
    case .deletedByOthers, .deletedHere: "\(conflict.object)"
    }
  }

  private static func json(of conflict: EditingConflict, in form: OpenForm) throws -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("key", .string(key(of: conflict))), ("entity", .string(conflict.entity)),
      ("name", .string(try name(of: conflict.object))),
      ("positions", .array(conflict.positions.map(\.json))),
    ]
    func name(of id: ObjectID) throws -> String { try self.name(of: id, form) }
    func add(_ field: String, _ mine: JSONValue, _ theirs: JSONValue, base: JSONValue? = nil) {
      members += [("field", .string(field)), ("mine", mine), ("theirs", theirs)]
      if let base { members.append(("base", base)) }
    }
    /// The object before both changes, or `nil` if the form inserted it.
    func base() throws -> StoredObject? { try form.context.store.at(form.context.position).get(conflict.object) }
    switch conflict.kind {
    case .attribute(let field, let mine, let theirs):
      let before = try base().map { $0[field].json(as: .data) }
      add(field, mine.json(as: .data), theirs.json(as: .data), base: before)
    case .target(let field, let mine, let theirs):
      func words(_ id: ObjectID?) throws -> JSONValue { try id.map { .string(try name(of: $0)) } ?? .null }
      add(field, try words(mine), try words(theirs), base: try base().map { try words($0.target(field)) })
    case .link(let field, let target, let isMine):
      let words = try name(of: target)
      add(field, .string("\(isMine ? "with" : "without") \(words)"), .string("\(isMine ? "without" : "with") \(words)"))
    case .deletedByOthers: add("", "kept", "deleted")
    case .deletedHere: add("", "deleted", "kept")
    case .removedByModel(let field): add(field, "changed", "removed from the model")
    }
    return .object(members)
  }

  /// Returns what an object is called here or, if it is only there, at the head.
  private static func name(of id: ObjectID, _ form: OpenForm) throws -> String {
    guard let object = try form.context.get(id) ?? form.context.store.get(id) else { return "what was deleted" }
    let attribute = form.model.entities.first { $0.name == object.entity }?.nameAttribute
    guard case .string(let name)? = object.values.first(where: { $0.name == attribute })?.value else {
      return object.entity
    }
    return name
  }
}
