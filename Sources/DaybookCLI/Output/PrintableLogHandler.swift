import Daybook
import Logging

/// Passes log events on with ``PrintableText``: requests, names and paths come from outside.
struct PrintableLogHandler: LogHandler {
  private var base: any LogHandler

  init(_ base: any LogHandler) {
    self.base = base
  }

  var logLevel: Logger.Level {
    get { base.logLevel }
    set { base.logLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { base.metadata }
    set { base.metadata = PrintableLogHandler.printable(newValue) }
  }

  var metadataProvider: Logger.MetadataProvider? {
    get { base.metadataProvider }
    set { base.metadataProvider = newValue.map { provider in .init { Self.printable(provider.get()) } } }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { base[metadataKey: key] }
    set { base[metadataKey: key] = newValue.map(Self.printable) }
  }

  func log(event: LogEvent) {
    var event = event
    event.message = "\(PrintableText.line(event.message.description))"
    event.metadata = event.metadata.map(Self.printable)
    if let error = event.error {
      event.error = nil
      event.metadata = (event.metadata ?? [:]).merging(["error": "\(PrintableText.line("\(error)"))"]) { first, _ in
        first
      }
    }
    base.log(event: event)
  }

  private static func printable(_ metadata: Logger.Metadata) -> Logger.Metadata {
    Logger.Metadata(metadata.map { (PrintableText.line($0), printable($1)) }) { first, _ in first }
  }

  private static func printable(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
    switch value {
    case .array(let values): .array(values.map(printable))
    case .dictionary(let values): .dictionary(printable(values))
    default: .string(PrintableText.line(value.description))
    }
  }
}

extension Logger {
  /// A logger of the command, which writes lines to standard error.
  static func standardError(_ label: String) -> Logger {
    Logger(label: label, factory: { PrintableLogHandler(StreamLogHandler.standardError(label: $0)) })
  }
}
