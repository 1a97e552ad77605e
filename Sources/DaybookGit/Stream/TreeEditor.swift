/// Turns the file commands of commits into the fewest changes of folders and files that have an identity.
///
///     var editor = TreeEditor()
///     let operations = try editor.apply([.modify("Sources/main.swift", .file, blob)])
///     // insertFolder(#0, parent: nil, name: ""), insertFolder(#1, parent: #0, name: "Sources"),
///     // insertFile(#2, folder: #1, name: "main.swift", …)
///
/// Git knows paths and contents only. Its commands edit a flat map of paths to files, and folders are whatever the
/// paths need. A store has objects, which keep their identity when they are renamed, moved or changed. This is the
/// step from one to the other, a commit at a time:
///
/// 1. The commands edit the map in their order. What a file was before the commit is kept at its first change. A file
///    that is deleted and comes back at its path is the same file; a rename takes a file's identity along; a copy is
///    new.
/// 2. After the last command the folders follow: those left empty go, those that lack appear. A folder is the same as
///    long as its path holds files at the ends of commits. Where a path is both file and folder by then, the command
///    that came later wins, as in `git fast-import`.
/// 3. Before and after are compared, and the differences are put in an order in which nothing is ever in a folder that
///    is gone, and two siblings do not have the same name on the way if that can be helped: see `OperationSchedule`.
///
/// During a commit a name may so stand for a file and a folder at once, which git relies on: when the file `foo`
/// becomes a folder it writes `M foo/bar` before `D foo`.
///
/// The map is a tree of folders, each with a dictionary of names, so a commit costs what it changes and not what there
/// is. All order comes from the commands and from bytes, never from a dictionary, so that the same stream gives the
/// same operations.
package struct TreeEditor {
  /// The most names of a path. Git itself can check out about 2,000.
  package static let maximumDepth = 4096

  var folders: [FolderSlot]
  var files: [FileSlot] = []
  var freeFolders: [Int] = []
  var freeFiles: [Int] = []
  var nextNode = 0

  /// Counts writes of files, over all commits; it says which of two came later.
  var writeCount = 0

  /// What the current commit did so far.
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
    /// Made by the current commit.
    var isNew = true
    var isTouched = false
    var isRemoved = false
  }

  /// What a name stands for. Outside of a commit that is one of the two.
  struct Entry {
    var file: Int?
    var folder: Int?
  }

  struct FileSlot {
    /// `nil` until the end of the commit that made it.
    var id: NodeID?
    /// `nil` while it is deleted.
    var location: Location?
    var mode: GitMode
    var blob: GitHash
    var lastWrite: Int
    /// Its place in `Edit.files`.
    var touch: Int?
  }

  /// A name in a folder.
  struct Location: Hashable {
    var folder: Int
    var name: PathName
  }

  /// What a file is.
  struct FileState {
    var location: Location
    var mode: GitMode
    var blob: GitHash
  }

  /// What a commit did: the files and folders that it touched, in the order of their first touch.
  struct Edit {
    /// Each file with its state before the commit, `nil` for a new one.
    var files: [(slot: Int, before: FileState?)] = []
    var folders: [Int] = []
    /// Where files were before the commit that have left since.
    var origins: [Location: Int] = [:]
    /// Names that stood for a file and a folder at once.
    var contested: [Location] = []
    /// Folders that were there before the commit and are empty now, each after those inside it.
    var removed: [Int] = []
  }

  /// Makes an editor of nothing. Its first commit inserts the root, even if it has no files.
  package init() {
    folders = [FolderSlot(id: nil, parent: nil, name: PathName([]), depth: 0)]
    touchFolder(Self.root)
  }

  /// Edits the tree as one commit does.
  ///
  /// - Parameter changes: The commit's file commands, in their order.
  /// - Returns: What changes between the ends of the two commits, none if nothing does.
  /// - Throws: `TreeError` if a command does not fit the tree; the editor is of no use then.
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
