#if Server

import Daybook
import DaybookModel
import DaybookQuery
import DaybookTools
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
    case let error as QueryError: return Problem(error, in: place, parameter: parameter)
    case let fault as OperationFault:
      var problem = translating(fault.error, in: place)
      problem?.pointer = fault.pointer
      return problem
    case is ValueError, is JSONError, is ModelError: return Problem(.badRequest, "\(error)", parameter: parameter)
    case let error as StoreError: return Problem(error, in: place)
    // Its connection has answered already, so this is not sent.
    case is IncompleteRequest: return Problem(.badRequest, "The request ended before it was complete.")
    case let error as HTTPError:
      return Problem(error.status, error.body ?? "\(error.status.reasonPhrase).", headers: error.headers)
    default:
      guard let error = StoreError.translating(error) as? StoreError else { return nil }
      return Problem(error, in: place)
    }
  }

  /// - Parameter parameter: The parameter that the error belongs to; the part of the request that the error names if it
  ///   is `nil`.
  init(_ error: QueryError, in place: Place = .url, parameter: String? = nil) {
    if error.isOfFilter {
      // A filter in a body is named by the pointer to its operation.
      self.init(.badRequest, error.message, parameter: parameter ?? (place == .url ? "where" : nil))
      column = error.column
    } else if let column = error.column {
      self.init(
        .badRequest, "\(error.message).", parameter: parameter ?? error.part.map { Problem.parameter(ofPart: $0) })
      self.column = column
    } else {
      self.init(.badRequest, "\(error)", parameter: parameter ?? error.part.map { Problem.parameter(ofPart: $0) })
    }
  }

  /// Returns the parameter with a part of a request.
  private static func parameter(ofPart part: String) -> String {
    let names = ["group", "having", "order", "sort", "section", "show", "limit", "offset"]
    return names.first { part.hasPrefix($0) } ?? "timezone"
  }

  private init(_ status: HTTPResponse.Status, _ detail: String, headers: HTTPFields) {
    self.init(status, detail)
    self.headers = headers
  }

  private init(_ error: StoreError, in place: Place) {
    let status = Problem.status(of: error.code, in: place)
    let isUnknown = status.code >= 500 && error.code != .notBuilt
    let detail = Problem.detail(of: error.code) ?? (isUnknown ? "The server failed; its log says why." : nil)
    self.init(
      status, detail ?? error.message, advice: error.remedy?.httpAdvice,
      retryAfter: status == .serviceUnavailable ? 1 : nil)
    if detail != nil { cause = "\(error)" }
    failure = error.failure
  }

  /// What a client learns about a state of the store: the messages name files and addresses, which are for the log.
  /// `nil` for errors that are about the request.
  private static func detail(of code: StoreError.Code) -> String? {
    switch code {
    case .busy: "The store is busy: others write."
    case .full: "The store has no space left."
    case .closed: "The store is closed."
    case .expired: "What was read is not there any more."
    case .projectionStopped: "A projection has stopped."
    case .unavailable: "The servers of the replicated journal cannot be reached. Nothing was written."
    case .unknownOutcome: "It is unknown whether the servers of the replicated journal have taken the commit."
    case .readOnly: "The store can only be read here."
    case .newerFormat: "A later version of Daybook wrote this, and this server cannot change it."
    default: nil
    }
  }

  private static func status(of code: StoreError.Code, in place: Place) -> HTTPResponse.Status {
    switch code {
    case .notFound: place == .url ? .notFound : .unprocessableContent
    case .ambiguous, .badValue, .badRequest, .badModel: .badRequest
    case .exists, .constraint: .unprocessableContent
    case .conditionFailed, .conflict: .conflict
    case .tooLarge: place == .url ? .badRequest : .contentTooLarge
    case .readOnly, .newerFormat: .forbidden
    case .busy, .timedOut, .full, .closed, .displaced, .expired, .projectionStopped, .notBuilt, .unavailable,
      .unknownOutcome:
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

#endif
