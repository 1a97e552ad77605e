import Daybook
import DaybookEngine
import DaybookModel

extension Store {
  /// Returns the present rows of the projections.
  package func projectionRows() throws -> TableDump {
    try read { try TableDump($0.reader) }
  }

  /// Returns the rows that a rebuild of all projections makes, without changing the store.
  package func rebuiltRows() throws -> TableDump {
    try keeper.rebuiltRows()
  }

  /// Returns the rows as they were at an earlier position.
  package func projectionRows(at position: Position) throws -> TableDump {
    try read { try TableDump($0.present.rewound(to: position, in: $0.journal).reader) }
  }
}
