import DaybookMacros

/// The form in which the name of something is typed. What is typed is in a context of its own until it is saved.
struct NameForm<Object: Storable> {
  private let context: EditingContext
  let object: EntityID<Object>

  /// A form for a new object.
  init(adding new: Object, to store: Store) throws {
    context = try store.makeContext()
    object = try context.insert(new)
  }

  /// A form for an object that is there.
  init(editing object: EntityID<Object>, in store: Store) throws {
    context = try store.makeContext()
    self.object = object
  }

  func type(_ name: String) throws { try context.rename(object, to: name) }

  func save() throws { try context.save(author: "Ada") }

  func cancel() { context.cancel() }
}

/// The question before something is deleted: it knows what would go, because it has tried.
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
