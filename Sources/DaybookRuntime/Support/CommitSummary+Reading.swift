import DaybookEngine
import DaybookModel

extension CommitSummary {
  /// Decodes what the header of a commit of the journal has.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the metadata are damaged.
  package init(reading header: CommitHeader) throws(StoreError) {
    do {
      try self.init(header)
    } catch {
      throw StoreError(
        .damaged, "The metadata of commit \(header.position) are damaged: \(error)", advice: .verifyAndRestore)
    }
  }
}
