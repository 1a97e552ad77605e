import DaybookModel

extension LMDBJournal {
  /// Returns why this journal cannot contain a commit with such a header, as half a sentence, or `nil` if it can.
  ///
  /// - Parameter models: The positions of the commits of a model before it, rising.
  /// - Throws: `StoreError` with the code `damaged` if a cause that is named by its id cannot be found.
  package func faultOfReasons(in header: CommitHeader, models: [Position]) throws -> String? {
    let (reasons, position) = (header.reasons, header.position)
    if reasons.isEmpty { return nil }
    if let fault = reasons.fault(at: position, isModel: header.isModel, models: models) { return fault }
    guard case .commitID(let id) = reasons.causation else { return nil }
    guard let cause = try self.position(ofCommitID: id) else {
      return "its cause is the commit with the id \(id), which the journal lacks"
    }
    return cause < position ? nil : "its cause is commit \(cause), which is not before it"
  }
}
