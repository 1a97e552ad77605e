#if Import

import Testing

@testable import DaybookImport

/// Returns the error that a closure throws; any other error than `ImportError` is a failure.
func importError(_ body: () throws -> Void) throws -> ImportError? {
  do {
    try body()
    return nil
  } catch let error as ImportError {
    return error
  }
}

/// Expects an error whose message contains texts.
func expectError(_ texts: String..., sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void)
  throws
{
  let error = try importError(body)
  for text in texts {
    #expect(
      error?.message.contains(text) == true, "\(error?.message ?? "no error") lacks \(text)",
      sourceLocation: sourceLocation)
  }
}

#endif
