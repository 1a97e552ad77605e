#if Server

import Daybook
import DaybookModel

/// The number of all rows of a request, without limit and offset, and of each section if these are listed.
struct RequestTotal {
  /// The members `total` and, if the sections are listed, `counts`.
  let members: [(key: String, value: JSONValue)]

  /// - Parameter sections: The sections of the whole result, which are listed.
  init(_ sections: some Collection<ResultSection>) {
    let counts = sections.map { JSONValue.object([("name", .string($0.name)), ("count", .integer(Int64($0.count)))]) }
    members = RequestTotal(sections.reduce(0) { $0 + $1.count }).members + [("counts", .array(counts))]
  }

  /// - Parameter count: The number of all rows, whose sections are not listed.
  init(_ count: Int) {
    members = [("total", .integer(Int64(count)))]
  }
}

#endif
