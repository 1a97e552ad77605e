import DaybookDiff

func path(_ section: Int, _ row: Int) -> RowPath { RowPath(section: section, row: row) }

/// Returns whether a body throws a difference error with a code.
func code(_ code: DifferenceError.Code, _ body: () throws -> Void) -> Bool {
  do {
    try body()
    return false
  } catch {
    return (error as? DifferenceError)?.code == code
  }
}
