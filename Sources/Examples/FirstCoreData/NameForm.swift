import DaybookMacros

/// The form for the name of an object, with its own editing context until it is saved.
struct NameForm<Object: Storable> {
  private let context: EditingContext
  let object: EntityID<Object>

  /// Creates a form for a new object.
  init(adding new: Object, to store: Store) throws {
    context = try store.makeContext()
    object = try context.insert(new)
  }

  /// Creates a form for an existing object.
  init(editing object: EntityID<Object>, in store: Store) throws {
    context = try store.makeContext()
    self.object = object
  }

  func type(_ name: String) throws { try context.rename(object, to: name) }

  func save() throws { try context.save(author: "Ada") }

  func cancel() { context.cancel() }
}

/// The question before a delete, which knows the objects affected, because it has tried.
struct DeleteQuestion {
  private let context: EditingContext
  let count: Int

  init(deleting root: RootLevel.ID, in store: Store) throws {
    context = try store.makeContext()
    try context.delete(root)
    count = try context.preview().deleted.count
  }

  func confirm() throws { try context.save(author: "Ada") }
}
