import DaybookEngine
import DaybookModel
import DaybookQuery
import WorkLimits

extension CommitBuilder {
  /// Returns the result of a request in the state of the commit in progress.
  func fetchPending(_ request: FetchRequest) throws -> Results<StoredObject> {
    try perform {
      try fold.settle()
      return try allowance.spend {
        try reader.fetch(request, at: Position(writer.position.number - 1), usesConstraints: false)
      }
    }
  }
}
