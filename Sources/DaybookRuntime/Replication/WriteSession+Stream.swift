import DaybookEngine
import DaybookModel

extension WriteSession {
  /// Appends a commit of the stream, unless the journal has one at its position.
  ///
  /// - Returns: The difference, if the journal has another commit there.
  func append(fromStream commit: PendingCommit) throws -> StreamFork? {
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
