#if Server

public import Daybook
import DaybookPage
import Logging

/// A store that a server serves under a path, with the pages and operations of an application.
///
///     let server = try DaybookServer(
///       mounting: [StoreMount(tasks, at: "/todo"), StoreMount(recipes, at: "/recipes")],
///       configuration: ServerConfiguration(port: 8650))
///
/// All operations on a store are under its path: `/todo/api/fetch/Task`, with a description at `/todo/openapi.json`. The
/// modules of the page are at `/page` for all of them: a page whose `<html>` element has the attribute
/// `data-daybook="/todo"` uses the store under this path.
public struct StoreMount: Sendable {
  /// The path, which begins with a slash and does not end with one.
  public let path: String
  /// The store. It must stay open while the server runs.
  public let store: Store
  /// The files of the application, by their paths under ``path``; the one at `/` is its page.
  package var files: [String: PageFile] = [:]
  /// The operations of the application, with paths under ``path``.
  package var routes: [Route] = []

  /// - Precondition: `path` begins with a slash and has at least one part.
  public init(_ store: Store, at path: String) {
    precondition(path.hasPrefix("/") && !path.hasSuffix("/"), "A store is mounted at a path such as /todo.")
    self.path = path
    self.store = store
  }
}

/// A mounted store as the server holds it.
struct MountedStore: Sendable {
  private let mount: StoreMount
  private let state: ServerState
  let feeds: FeedHub

  init(_ mount: StoreMount, configuration: ServerConfiguration, logger: Logger) {
    self.mount = mount
    state = ServerState(store: mount.store, configuration: configuration, logger: logger)
    feeds = FeedHub(state)
  }

  /// All operations and files, under the path of the store.
  var routes: [Route] {
    let files = mount.files.sorted { $0.key < $1.key }.map { PageRoutes.route($0.value, at: $0.key) }
    let all = DaybookServer.routes(of: state, feeds) + mount.routes + files
    return DescriptionRoute.adding(to: all, under: mount.path).map { $0.mounted(at: mount.path) }
  }
}

#endif
