/// The place of a request's row at one position: its sort key and its section.
struct RowState {
  let key: SortedKey
  let sectionName: String
}
