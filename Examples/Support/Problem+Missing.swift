import DaybookMacros
import DaybookServer

extension Problem {
  /// Calls a closure whose missing objects are the status 404, wherever a page named them: another window may have deleted
  /// what a row or a form is about.
  static func findingObjects<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError where error.code == .notFound {
      throw Problem(.notFound, error.message)
    }
  }
}
