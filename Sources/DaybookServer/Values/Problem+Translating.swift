import Daybook
import DaybookModel
import DaybookQuery
import HTTPTypes
import Hummingbird

extension Problem {
  /// Where the names and values of a request stand, which decides whether what does not exist is 404 or 422.
  package enum Place {
    case url
    case body
  }

  /// Returns the problem that an error means to a client; `nil` for an error that is the server's own.
  ///
  /// - Parameters:
  ///   - place: Where the request has its names and values.
  ///   - parameter: The parameter that the error belongs to, if it is about the text of one.
  static func translating(_ error: any Error, in place: Place, parameter: String? = nil) -> Problem? {
    switch error {
    case let problem as Problem: return problem
    case let error as FilterError: return Problem(error, parameter: parameter ?? (place == .url ? "where" : nil))
    case let error as QueryError: return Problem(error, parameter: parameter)
    case is ValueError, is JSONError, is ModelError: return Problem(.badRequest, "\(error)", parameter: parameter)
    case let error as StoreError: return Problem(error, in: place)
    case let error as HTTPError:
      return Problem(error.status, error.body ?? "\(error.status.reasonPhrase).", headers: error.headers)
    default:
      guard let error = StoreError.translating(error) as? StoreError else { return nil }
      return Problem(error, in: place)
    }
  }

  /// - Parameter parameter: The parameter that the error belongs to; the part of the request that the error names if it
  ///   is `nil`.
  init(_ error: QueryError, parameter: String? = nil) {
    if let error = error.filterError {
      self.init(error, parameter: parameter ?? "where")
    } else {
      let part = error.part.map { part in
        ["where", "sort", "section", "limit", "offset"].first { part.hasPrefix($0) } ?? "timezone"
      }
      self.init(.badRequest, "\(error)", parameter: parameter ?? part)
    }
  }

  private init(_ error: FilterError, parameter: String?) {
    self.init(.badRequest, error.message, parameter: parameter)
    column = error.column
  }

  private init(_ status: HTTPResponse.Status, _ detail: String, headers: HTTPFields) {
    self.init(status, detail)
    self.headers = headers
  }

  private init(_ error: StoreError, in place: Place) {
    let status = Problem.status(of: error.code, in: place)
    self.init(
      status, error.message, advice: error.remedy?.httpAdvice, retryAfter: status == .serviceUnavailable ? 1 : nil)
    failure = error.failure
  }

  private static func status(of code: StoreError.Code, in place: Place) -> HTTPResponse.Status {
    switch code {
    case .notFound: place == .url ? .notFound : .unprocessableContent
    case .ambiguous, .badValue, .badRequest, .badModel: .badRequest
    case .exists, .constraint: .unprocessableContent
    case .conditionFailed, .conflict: .conflict
    case .tooLarge: place == .url ? .badRequest : .contentTooLarge
    case .readOnly, .newerFormat: .forbidden
    case .busy, .timedOut, .full, .closed, .expired, .projectionStopped, .unavailable, .unknownOutcome:
      .serviceUnavailable
    default: .internalServerError
    }
  }
}

private extension StoreError.Remedy {
  /// The advice in terms of this interface; `nil` where only the owner of the store can do something.
  var httpAdvice: String? {
    switch self {
    // Some texts name commands or calls in backquotes, which a client of this interface does not have.
    case .text(let text): text.contains("`") ? nil : text
    case .readHistory: "It may have been deleted; /api/objects/ID/log shows when."
    case .listProjections: "/api/stats lists the projections of the store."
    case .verify, .verifyAndRestore, .verifySource, .create, .listQuarantine, .resolveFork, .createInStream,
      .recreateStream, .joinStream:
      nil
    }
  }
}

extension Problem {
  /// Runs a closure that parses a parameter.
  ///
  /// - Throws: `Problem` with the name of the parameter, and the column in its value where the error has one.
  static func placing<Result>(_ parameter: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw Problem.translating(error, in: .url, parameter: parameter) ?? error
    }
  }
}
