import DaybookEngine
import DaybookModel

extension WriteSession {
  /// Appends commits of the stream; those that the journal has are compared with them.
  ///
  /// - Returns: The first difference, behind which nothing is appended.
  /// - Throws: `StoreError` with the code `damaged` for a commit that no store can have made.
  func append(fromStream commits: [PendingCommit]) throws -> StreamFork? {
    for commit in commits {
      if let fork = try append(fromStream: commit) { return fork }
    }
    return nil
  }

  /// Appends a commit of the stream, unless the journal has one at its position.
  ///
  /// - Returns: The difference, if the journal has another commit there.
  private func append(fromStream commit: PendingCommit) throws -> StreamFork? {
    let position = commit.header.position
    if position <= head {
      let own = try journalReader.header(at: position).hash
      return own == commit.hash ? nil : StreamFork(position: position, own: own, stream: commit.hash)
    }
    do {
      try append(checking: commit, model: try commit.resolvedModel())
    } catch let refusal as CommitRefusal {
      throw StoreError(
        .damaged, "The stream has a commit \(position) that no store can have made: \(refusal.error.message)",
        advice: "Find out who can publish to the stream. This node stops following before that commit.")
    }
    return nil
  }
}

private extension PendingCommit {
  /// Returns the model in the commit, or `nil` if it has events.
  func resolvedModel() throws -> ResolvedModel? {
    guard header.isModel else { return nil }
    do {
      return try ResolvedModel(body: body.rawSpan, at: header.position)
    } catch {
      throw CommitRefusal(.badModel, "\(error)")
    }
  }
}
