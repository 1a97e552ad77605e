import Daybook
import DaybookModel

extension Store {
  /// Calls a closure with a reader of a position; it is the head's reader if nothing was committed since.
  func read<Result>(at position: Position, _ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try read { reader in
      try position == reader.position ? body(reader) : reader.read(at: position, body)
    }
  }
}
