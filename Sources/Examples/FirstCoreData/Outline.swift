import DaybookMacros
import ExampleSupport

/// The top of an outline.
@Entity struct RootLevel {
  @Name @Index var name: String
  @Relationship(inverse: \SecondLevel.root, onDelete: .cascade) var children: Related<SecondLevel>
}

/// A node below a root, or below another node of its kind, at any depth.
@Entity struct SecondLevel {
  @Name var name: String
  var root: RootLevel.ID?
  var parent: SecondLevel.ID?
  @Relationship(onDelete: .cascade) var children: Related<SecondLevel>
}

/// The first screen: all roots by name.
struct RootList {
  private let roots: EntityLiveResults<RootLevel>
  private let view = ListView<RootLevel>("Roots") { $0.name }

  init(_ store: Store) throws {
    roots = try store.liveResults(of: RootLevel.all.sorted(by: \.name))
    try view.show(roots)
  }

  func refresh() throws { try view.perform(roots.update()) }
}

/// The second screen: the children of one root by name.
struct ChildList {
  private let children: EntityLiveResults<SecondLevel>
  private let view = ListView<SecondLevel>("Children") { $0.name }

  init(of root: RootLevel.ID, in store: Store) throws {
    children = try store.liveResults(of: store.childrenRequest(of: root, \.children).sorted(by: \.name))
    try view.show(children)
  }

  func refresh() throws { try view.perform(children.update()) }
}
