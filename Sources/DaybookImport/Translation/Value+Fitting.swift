#if Import

import DaybookModel
import Foundation

extension Value {
  /// Returns the value as one of a type, exactly; `nil` where the type has no such value.
  ///
  /// Numbers of one type become numbers of another one if nothing is lost, and so do whole numbers and Booleans 0 and 1.
  /// Text becomes a number, a date or a UUID if it is one in Daybook's form, and each of these becomes its text.
  func fitting(_ type: AttributeType) -> Value? {
    if isNull { return .null }
    if let value = try? normalized(as: type) { return value }
    switch (self, type) {
    case (.integer(let number), .double): return Double(exactly: number).map(Value.double)
    case (.integer(let number), .decimal): return .decimal(Decimal(number))
    case (.integer(let number), .boolean): return number == 0 || number == 1 ? .boolean(number == 1) : nil
    case (.boolean(let flag), .integer): return .integer(flag ? 1 : 0)
    case (.boolean(let flag), .double): return .double(flag ? 1 : 0)
    case (.boolean(let flag), .decimal): return .decimal(flag ? 1 : 0)
    case (.double(let number), .integer): return Int64(exactly: number).map(Value.integer)
    case (.double(let number), .decimal):
      return number.isFinite ? try? Value(text: "\(number)", type: .decimal).normalized(as: .decimal) : nil
    case (.decimal, .integer), (.decimal, .double): return try? Value(text: text, type: type)
    case (.string(let text), _) where type != .data && type != .codable: return try? Value(text: text, type: type)
    case (.integer, .string), (.double, .string), (.decimal, .string), (.boolean, .string), (.date, .string),
      (.uuid, .string):
      return .string(text)
    default: return nil
    }
  }
}

#endif
