import DaybookServer

/// Which edits of its pages a form has taken.
///
/// A page numbers its edits from 1. It sends an edit again whose answer it did not receive: the edit is performed once, and
/// has the same outcome each time.
struct FormEdits: Sendable {
  /// The most pages that show one form at a time or one after the other.
  static let maximumPageCount = 1_000

  /// The number of the last edit of each page, by the page's name.
  private(set) var numbers: [String: Int]
  /// The error of a page's last edit, if it was refused.
  private var refusals: [String: any Error] = [:]

  init(_ numbers: [String: Int] = [:]) {
    self.numbers = numbers
  }

  /// Performs an edit, unless it was performed before.
  ///
  /// - Parameters:
  ///   - number: The number of the edit, after the last one of the page.
  ///   - page: The name of the page.
  /// - Throws: The error of the edit, also if it is sent again; `Problem` with the status 409 if edits before it are
  ///   missing, with the status 503 if the form has been shown by too many pages.
  mutating func take(_ number: Int, of page: String, _ perform: () throws -> Void) throws {
    let last = numbers[page] ?? 0
    if number <= last {
      if number == last, let refusal = refusals[page] { throw refusal }
      return
    }
    guard number == last + 1 else {
      throw Problem(
        .conflict, "Edit \(number) follows edit \(number - 1) of this page, and the last one that came is \(last).",
        advice: "Send the edits in their order.")
    }
    guard numbers[page] != nil || numbers.count < FormEdits.maximumPageCount else {
      throw Problem(.serviceUnavailable, "Too many pages have shown this form.", advice: "Save it, and open it again.")
    }
    numbers[page] = number
    refusals[page] = nil
    do {
      try perform()
    } catch {
      refusals[page] = error
      throw error
    }
  }
}
