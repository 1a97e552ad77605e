/// Changes that a projection does not keep: its rows have to be folded again, with their changes.
package struct UnkeptChanges: Error {
  package let projection: String
}
