import DaybookMacros
import ExampleSupport

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
