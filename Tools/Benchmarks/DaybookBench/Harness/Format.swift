import Foundation

/// A time with three digits and the unit that fits: "2.61 us".
func duration(seconds: Double) -> String {
  let units: [(scale: Double, name: String)] = [(1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")]
  let unit = units.first { seconds >= $0.scale } ?? units[units.count - 1]
  return "\(threeDigits(seconds / unit.scale)) \(unit.name)"
}

func ratio(_ value: Double) -> String { threeDigits(value) }

/// A size with three digits and the unit that fits: "40.0 MiB".
func size(bytes: Double) -> String {
  let units: [(scale: Double, name: String)] = [(1_073_741_824, "GiB"), (1_048_576, "MiB"), (1_024, "KiB")]
  guard let unit = units.first(where: { bytes >= $0.scale }) else { return "\(Int(bytes)) bytes" }
  return "\(threeDigits(bytes / unit.scale)) \(unit.name)"
}

/// An integer in groups of three: "1,000,000".
func grouped(_ number: Int) -> String {
  var groups: [Substring] = []
  var rest = Substring(String(abs(number)))
  while !rest.isEmpty {
    groups.insert(rest.suffix(3), at: 0)
    rest = rest.dropLast(3)
  }
  return (number < 0 ? "-" : "") + groups.joined(separator: ",")
}

private func threeDigits(_ value: Double) -> String {
  let decimals = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return String(format: "%.\(decimals)f", value)
}
