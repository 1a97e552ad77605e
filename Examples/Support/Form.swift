import DaybookMacros

/// A form for an object of one entity: what a page may do in the editing context behind it.
///
///     Form(
///       "task", for: Task.self, new: { _ in Task(title: "") },
///       lists: [FormList("tags") { _ in Tag.all.sorted(by: \.taskCount, .descending).sorted(by: \.name) }],
///       actions: [FormAction("tag") { tx, task, input in try tx.relate(task, \.tags, to: input.id("tag")) }])
///
/// Attributes of the object are set by name without an action. Each action is one step of the form's undo.
package struct Form: Sendable {
  let name: String
  let entity: String
  let lists: [(name: String, request: MakeRequest)]
  let actions: [String: Edit]
  private let makeNew: (@Sendable (EditingContext, Input) throws -> ObjectID)?

  typealias MakeRequest = @Sendable (ObjectID) throws -> Request<StoredObject>
  typealias Edit = @Sendable (borrowing Transaction, ObjectID, Input) throws -> Void

  /// - Parameters:
  ///   - name: The name by which pages open the form.
  ///   - new: Returns the object of a form that is opened without one; `nil` if it needs an object.
  ///   - lists: The lists inside the form, which show its pending edits.
  ///   - actions: The edits of the form other than setting an attribute.
  package init<Object: Storable>(
    _ name: String, for _: Object.Type, new: (@Sendable (Input) throws -> Object)? = nil,
    lists: [FormList<Object>] = [], actions: [FormAction<Object>] = []
  ) {
    self.name = name
    entity = Object.entityName
    if let new {
      makeNew = { context, input in try context.insert(new(input)).objectID }
    } else {
      makeNew = nil
    }
    self.lists = lists.map { list in
      let request: MakeRequest = { try list.request(EntityID($0)) }
      return (list.name, request)
    }
    var edits: [String: Edit] = [:]
    for action in actions { edits[action.name] = { try action.body($0, EntityID($1), $2) } }
    self.actions = edits
  }

  /// Inserts the object of a new form.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the form needs an object; what the application throws.
  func insert(in context: EditingContext, _ input: Input) throws -> ObjectID {
    guard let makeNew else {
      throw StoreError(.badRequest, "The form “\(name)” is for an object that exists.", advice: "Name the object.")
    }
    return try makeNew(context, input)
  }
}

/// A list inside a form: a live result of its editing context, whose order can be held while a person picks from it.
package struct FormList<Object: Storable>: Sendable {
  let name: String
  let request: @Sendable (EntityID<Object>) throws -> Request<StoredObject>

  /// - Parameter request: Returns the request for the object of the form.
  package init<Row>(_ name: String, _ request: @escaping @Sendable (EntityID<Object>) throws -> Request<Record<Row>>) {
    self.name = name
    self.request = { try request($0).untyped }
  }
}

/// An edit of a form's object, which is one step to undo.
package struct FormAction<Object: Storable>: Sendable {
  let name: String
  let body: @Sendable (borrowing Transaction, EntityID<Object>, Input) throws -> Void

  /// - Parameter body: Performs the edit, with the object of the form and what the page sent.
  package init(
    _ name: String,
    _ body: @escaping @Sendable (borrowing Transaction, EntityID<Object>, Input) throws -> Void
  ) {
    (self.name, self.body) = (name, body)
  }
}
