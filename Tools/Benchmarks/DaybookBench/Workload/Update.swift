import Foundation

/// A new name and timestamp for a record: its row changes, and its place in the sorted view.
struct Update: Sendable {
  let id: UUID
  let name: String
  let timestamp: Int64
}
