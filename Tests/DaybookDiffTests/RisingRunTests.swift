import DaybookTestSupport
import DifferenceCases
import Testing

@testable import DaybookDiff

@Suite(.hangLimit) struct RisingRunTests {
  @Test func everyPermutationOfSixNumbers() throws {
    for values in arrangements(of: 0..<6, inLists: 1) {
      try checkEqual(
        RisingRun.indexesOfLongest(in: values[0]), Situation<Int>.canonicalKeep(values[0]).indexes, "\(values[0])")
    }
  }

  @Test func longPermutations() throws {
    try SeededRandom.run(300) { random in
      let values = Array((0..<random.number(1..<200)).shuffled(using: &random))
      try checkEqual(
        RisingRun.indexesOfLongest(in: values), Situation<Int>.canonicalKeep(values).indexes, "\(values)")
    }
  }
}
