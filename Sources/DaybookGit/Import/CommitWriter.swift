import Daybook

/// Writes git commits as commits of a store.
///
/// It stores the object of each tree node and of each email, so that nothing has to be looked up.
struct CommitWriter {
  /// The object of each node, by its number.
  ///
  /// Numbers are dense, so an array is smaller than a dictionary.
  private var objects: [ObjectID]
  /// The authors by the bytes of their email: canonically equivalent emails are two authors.
  private var authors: [PathName: ObjectID]

  init(objects: [ObjectID], authors: [PathName: ObjectID]) {
    self.objects = objects
    self.authors = authors
  }

  /// Writes one commit.
  ///
  /// - Throws: `StoreError`, which names a faulty commit. The writer is then unusable.
  mutating func write(
    _ prepared: PreparedCommit, in session: WriteSession,
    then finish: ((GitCommit, borrowing Transaction) throws -> Void)? = nil
  ) throws {
    try check(prepared)
    let commit = prepared.commit
    let time = Timestamp(of: commit.committer)
    let info = CommitInfo(
      author: "\(commit.author.name) <\(commit.author.email)>", message: commit.message, happenedAt: time)
    do {
      _ = try session.commit(info) { tx in
        try writeRevision(commit, at: time, tx)
        for operation in prepared.operations { try perform(operation, tx) }
        try finish?(commit, tx)
      }
    } catch let error as StoreError {
      throw Self.naming(commit, error)
    }
  }

  /// Throws if the operations exceed the limits of a commit, before any work is done.
  private func check(_ prepared: PreparedCommit) throws {
    let count = prepared.eventCount
    guard count > CommitLimits.maximumEventCount else { return }
    throw Self.naming(
      prepared.commit,
      StoreError(
        .tooLarge,
        "It changes so many files that it needs \(count) events; a commit has at most \(CommitLimits.maximumEventCount).",
        advice: "Such a history cannot be imported: each git commit is one commit of the store."))
  }

  /// Returns an error with the commit that caused it, unless the disk or another process did.
  private static func naming(_ commit: GitCommit, _ error: StoreError) -> StoreError {
    switch error.code {
    case .tooLarge, .constraint, .badValue, .notFound, .exists:
      StoreError(
        error.code, "git commit \(commit.hash) (line \(commit.lineNumber) of the stream): \(error.message)",
        advice: error.remedy)
    default: error
    }
  }

  private mutating func writeRevision(_ commit: GitCommit, at time: Timestamp, _ tx: borrowing Transaction) throws {
    let email = PathName(commit.author.email.utf8)
    let author =
      try authors[email]
      ?? tx.insert(
        GitModel.author, ["name": .string(commit.author.name), "email": .string(commit.author.email)])
    authors[email] = author
    let revision = try tx.insert(
      GitModel.revision,
      ["hash": .string(commit.hash.description), "subject": .string(commit.subject), "timeStamp": .date(time)])
    try tx.relate(revision, "author", to: author)
  }

  private mutating func perform(_ operation: TreeOperation, _ tx: borrowing Transaction) throws {
    switch operation {
    case .insertFolder(let node, let parent, let name):
      let folder = try tx.insert(GitModel.folder, ["name": .string(name)])
      note(folder, for: node)
      if let parent { try tx.relate(folder, "parent", to: object(of: parent)) }
    case .insertFile(let node, let folder, let name, let mode, let blob):
      let file = try tx.insert(
        GitModel.file,
        ["name": .string(name), "mode": .string(mode.description), "blob": .string(blob.description)])
      note(file, for: node)
      try tx.relate(file, "folder", to: object(of: folder))
    case .setFile(let node, let mode, let blob):
      try set(object(of: node), mode, blob, tx)
    case .rename(let node, let name): try tx.rename(object(of: node), to: name)
    case .move(let node, let folder): try tx.relate(object(of: node), "folder", to: object(of: folder))
    case .deleteFile(let node), .deleteFolder(let node): try tx.delete(object(of: node))
    }
  }

  private func set(_ file: ObjectID, _ mode: GitMode?, _ blob: GitHash?, _ tx: borrowing Transaction) throws {
    switch (mode, blob) {
    case (let mode?, let blob?):
      try tx.set(file, ["mode": .string(mode.description), "blob": .string(blob.description)])
    case (let mode?, nil): try tx.set(file, ["mode": .string(mode.description)])
    case (nil, let blob?): try tx.set(file, ["blob": .string(blob.description)])
    case (nil, nil): break
    }
  }

  private func object(of node: NodeID) -> ObjectID { objects[node.rawValue] }

  private mutating func note(_ object: ObjectID, for node: NodeID) {
    while objects.count <= node.rawValue { objects.append(.zero) }
    objects[node.rawValue] = object
  }
}

private extension Timestamp {
  /// Creates the time of a signature.
  ///
  /// A time out of range becomes 0, like a time that git cannot read.
  init(of signature: GitSignature) {
    let (microseconds, isOverflow) = signature.seconds.multipliedReportingOverflow(by: 1_000_000)
    self.init(microseconds: isOverflow ? 0 : microseconds)
  }
}
