/// Converts commits' file commands into minimal changes of folders and files with identity.
///
///     var editor = TreeEditor()
///     let operations = try editor.apply([.modify("Sources/main.swift", .file, blob)])
///     // insertFolder(#0, parent: nil, name: ""), insertFolder(#1, parent: #0, name: "Sources"),
///     // insertFile(#2, folder: #1, name: "main.swift", …)
///
/// Git has only paths and contents. Its commands edit a flat map of paths to files, and folders exist only as the paths
/// need them. A store has objects, which keep their identity when they are renamed, moved or changed. The editor
/// converts one into the other, a commit at a time:
///
/// 1. The commands edit the map in their order. A file's state before the commit is recorded at its first change. A
///    file that is deleted and written again at its path is the same file; a rename keeps a file's identity; a copy is
///    new.
/// 2. After the last command the folders follow: empty ones are removed, missing ones are created. A folder is the same
///    as long as its path contains files at the ends of commits. If a path is both file and folder by then, the later
///    command wins, as in `git fast-import`.
/// 3. The states before and after are compared, and the differences are ordered so that no node is ever in a removed
///    folder, and two siblings have different names between the steps if possible: see `OperationSchedule`.
///
/// So during a commit a name may refer to a file and a folder at once, on which git relies: when the file `foo` becomes
/// a folder it writes `M foo/bar` before `D foo`.
///
/// The map is a tree of folders, each with a dictionary of names, so the cost of a commit depends on its changes and
/// not on the size of the tree. All order comes from the commands and from bytes, never from a dictionary, so that the
/// same stream produces the same operations.
package struct TreeEditor {
  /// The limit on a path's names. Git itself can check out about 2,000.
  package static let maximumDepth = 4096

  var folders: [FolderSlot]
  var files: [FileSlot] = []
  var freeFolders: [Int] = []
  var freeFiles: [Int] = []
  var nextNode = 0

  /// Counts writes of files, over all commits, to determine which of two came later.
  var writeCount = 0

  /// The changes of the current commit so far.
  var edit = Edit()

  static let root = 0

  /// A folder, kept in an array so that the tree is a value.
  struct FolderSlot {
    /// `nil` until the end of the commit that made it.
    var id: NodeID?
    var parent: Int?
    var name: PathName
    var depth: Int
    var entries: [PathName: Entry] = [:]
    /// Whether the current commit created the folder.
    var isNew = true
    var isTouched = false
    var isRemoved = false
  }

  /// The nodes with a name; between commits, exactly one of the two exists.
  struct Entry {
    var file: Int?
    var folder: Int?
  }

  struct FileSlot {
    /// `nil` until the end of the commit that made it.
    var id: NodeID?
    /// The location, or `nil` while the file is deleted.
    var location: Location?
    var mode: GitMode
    var blob: GitHash
    var lastWrite: Int
    /// The file's index in `Edit.files`.
    var touch: Int?
  }

  /// A name in a folder.
  struct Location: Hashable {
    var folder: Int
    var name: PathName
  }

  /// The state of a file.
  struct FileState {
    var location: Location
    var mode: GitMode
    var blob: GitHash
  }

  /// The files and folders that a commit touched, in the order of their first touch.
  struct Edit {
    /// Each file with its state before the commit, `nil` for a new one.
    var files: [(slot: Int, before: FileState?)] = []
    var folders: [Int] = []
    /// The former locations of files that have left them in the commit.
    var origins: [Location: Int] = [:]
    /// Names that referred to a file and a folder at once.
    var contested: [Location] = []
    /// Folders that existed before the commit and are empty, each after the folders inside it.
    var removed: [Int] = []
  }

  /// Creates an editor of an empty tree. Its first commit inserts the root, even without files.
  package init() {
    folders = [FolderSlot(id: nil, parent: nil, name: PathName([]), depth: 0)]
    touchFolder(Self.root)
  }

  /// Applies the changes of one commit to the tree.
  ///
  /// - Parameter changes: The commit's file commands, in their order.
  /// - Returns: The changes from the end of the previous commit to the end of this one; empty without changes.
  /// - Throws: `TreeError` if a command does not fit the tree; the editor is then unusable.
  /// - Complexity: O(*c* *d*) for *c* commands on paths of *d* names. A command on a folder counts for its files.
  package mutating func apply(_ changes: [GitChange]) throws(TreeError) -> [TreeOperation] {
    for change in changes { try apply(change) }
    settle()
    return makeOperations()
  }

  private mutating func apply(_ change: GitChange) throws(TreeError) {
    switch change {
    case .modify(let path, let mode, let blob): try write(path, mode, blob)
    case .delete(let path): delete(path)
    case .rename(let source, let target): try rename(source, to: target)
    case .copy(let source, let target): try copy(source, to: target)
    case .deleteAll: detachFiles(below: Self.root)
    }
  }
}

/// The reason why file commands do not fit the tree, or a tree cannot be adopted.
package struct TreeError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A rename or copy of a missing path.
    case missingSource
    /// A command that would make a file of the root.
    case rootIsNoFile
    /// A path of more than `TreeEditor.maximumDepth` names.
    case tooDeep
    /// Folders and files that do not form a tree.
    ///
    /// There is no root, or two; a missing parent; two siblings of one name; a name that no path can have; or one
    /// number for two nodes.
    case notATree
  }

  package let kind: Kind

  /// The fault, with the faulty path or name, and the remedy.
  package let message: String
}

extension TreeError: CustomStringConvertible {
  package var description: String { message }
}
