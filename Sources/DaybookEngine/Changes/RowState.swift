/// The place of a request's row at one position: its sort key and its section.
package struct RowState {
  package let key: SortedKey
  let sectionName: String
}
