#if Import

/// An error of reading a source: a model, a store, or a file of rows.
///
/// The message has the fault, the place with the faulty value, and the next step. A source that throws has been
/// neither changed nor read to its end, so the caller writes nothing.
package struct ImportError: Error, Hashable, Sendable {
  /// The kind of the error, for the exit status of a command.
  package enum Kind: Hashable, Sendable {
    /// The source or an option is not suitable: an encrypted store, a version that the bundle lacks.
    case usage
    /// The bytes or rows of the source are damaged or contradictory.
    case data
    /// A file cannot be read, or a private copy cannot be written.
    case inputOutput
  }

  package let kind: Kind
  /// The fault, the place, and the next step.
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// The exit status of a command that ends with the error: 74 for files, as in `sysexits.h`, and 1 for the others.
  package var exitStatus: Int32 { kind == .inputOutput ? 74 : 1 }
}

extension ImportError: CustomStringConvertible {
  package var description: String { message }
}

#endif
