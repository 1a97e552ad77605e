/// How many times the time of another contestant one needed.
///
/// Both numbers are given because they err differently: the ratio of the medians ignores a round that a neighbour on
/// the machine disturbed, the ratios round by round ignore a drift that was the same for both.
struct Comparison: Codable {
  let name: String
  let other: String
  let ratioOfMedians: Double

  /// Over the ratios taken round by round.
  let rounds: Summary

  init(of result: ContestantResult, with other: ContestantResult) {
    name = result.name
    self.other = other.name
    ratioOfMedians = result.secondsPerOperation.median / other.secondsPerOperation.median
    rounds = Summary(zip(result.rounds, other.rounds).map { $0 / $1 })
  }
}
