import DaybookEngine
import DaybookModel
import LMDB

/// The reason why a commit that was made elsewhere is refused, before the caller adds where it found the commit.
package struct CommitRefusal: Error {
  package let error: StoreError

  package init(_ code: StoreError.Code, _ message: String, advice: StoreError.Remedy? = nil) {
    error = StoreError(code, message, advice: advice)
  }

  package init(_ error: StoreError) {
    self.error = error
  }
}

extension CommitRefusal {
  /// Makes the refusal for a commit that cannot be folded.
  ///
  /// Returns errors that the commit did not cause unchanged.
  static func translating(_ error: any Error) -> any Error {
    switch error {
    case let fault as ProjectionFault: CommitRefusal(.damaged, "it does not fit the state before it: \(fault)")
    case let bytes as MalformedBytes: CommitRefusal(.damaged, "its events are malformed: \(bytes)")
    case is LMDBError: error
    default:
      (StoreError.translating(error) as? StoreError).map { CommitRefusal($0) } ?? error
    }
  }
}
