#if Server

import Foundation

/// Times as HTTP writes them (RFC 9110, 5.6.7).
enum HTTPDate {
  /// The present time: `Sun, 06 Nov 1994 08:49:37 GMT`.
  static var now: String {
    var (seconds, parts) = (time(nil), tm())
    gmtime_r(&seconds, &parts)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (day, month) = (days[Int(parts.tm_wday)], months[Int(parts.tm_mon)])
    let date = "\(day), \(padded(parts.tm_mday)) \(month) \(1900 + parts.tm_year)"
    return "\(date) \(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec)) GMT"
  }
}

#endif
