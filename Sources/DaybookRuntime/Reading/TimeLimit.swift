import DaybookEngine
import WorkLimits

/// Calls a closure whose reading ends after some time.
///
///     let count = try withTimeLimit(.seconds(2)) { try store.count(request) }
///
/// All that the closure reads from stores on this thread observes the limit, within the evaluation of one object too: paths
/// over many objects, regular expressions, sorting, walks over commits, differences. The work also ends when the task is
/// cancelled. Without such a limit reading takes the time that it takes; writes have ``StoreOptions/writeEvaluationTimeLimit``.
///
/// A write in the closure waits no longer than this for other writers, of this or another process, and then throws the code
/// ``StoreError/Code/busy``; without such a limit it waits for as long as they write.
///
/// - Parameters:
///   - limit: The time that the closure may take. Code of its own that reads nothing is not ended.
///   - body: Reads stores.
/// - Returns: The result of `body`.
/// - Throws: `StoreError` with the code ``StoreError/Code/timedOut``; `CancellationError` if the task was cancelled; what
///   `body` throws.
@discardableResult
public func withTimeLimit<Result>(_ limit: Duration, _ body: () throws -> Result) throws -> Result {
  do {
    return try WorkLimit.$current.withValue(WorkLimit(limit), operation: body)
  } catch {
    throw StoreError.translating(error)
  }
}
