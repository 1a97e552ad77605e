#if Import

import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookImport

/// The order of objects by their times of creation.
@Suite(.hangLimit)
struct TimeOrderTests {
  private func id(_ number: Int) -> ObjectID { ObjectID(name: "\(number)", in: .zero) }
  private func time(_ hours: Int) -> Timestamp { Timestamp(microseconds: Int64(hours) * 3_600_000_000) }

  @Test
  func `objects are by time, those without one first, those of one time together`() {
    var order = TimeOrder()
    for (number, hours) in [3, nil, 1, 3, nil].enumerated() {
      order.add(hours.map(time), of: id(number), requiring: [])
    }
    #expect(
      order.commits == [
        .init(time: nil, objects: [1, 4]), .init(time: time(1), objects: [2]), .init(time: time(3), objects: [0, 3]),
      ])
  }

  @Test
  func `an object waits for what it requires, and keeps its time`() {
    var order = TimeOrder()
    order.add(time(5), of: id(0), requiring: [])
    order.add(time(1), of: id(1), requiring: [id(0)])
    order.add(nil, of: id(2), requiring: [id(1)])
    order.add(time(2), of: id(3), requiring: [])
    #expect(
      order.commits == [
        .init(time: time(2), objects: [3]), .init(time: time(5), objects: [0]), .init(time: time(1), objects: [1]),
        .init(time: nil, objects: [2]),
      ])
  }

  @Test
  func `an object is with what it requires if both have one time`() {
    var order = TimeOrder()
    order.add(time(5), of: id(0), requiring: [])
    order.add(time(5), of: id(1), requiring: [id(0)])
    order.add(time(5), of: id(2), requiring: [id(1), id(0)])
    #expect(order.commits == [.init(time: time(5), objects: [0, 1, 2])])
  }

  @Test
  func `objects that require each other are in one commit, after what any of them requires`() {
    var order = TimeOrder()
    order.add(time(5), of: id(0), requiring: [])
    order.add([id(1), id(2)], requiring: [id(0), id(1), id(2)])
    order.add(nil, of: id(3), requiring: [])
    #expect(
      order.commits == [
        .init(time: nil, objects: [3]), .init(time: time(5), objects: [0]),
        .init(time: nil, objects: [1, 2], isDivisible: false),
      ])
  }

  @Test
  func `in random orders no object is before what it requires, and times rise otherwise`() throws {
    try SeededRandom.run(Rounds.of(200, "DAYBOOK_IMPORT_RUNS")) { random in
      var order = TimeOrder()
      var required: [[Int]] = []
      var times: [Timestamp?] = []
      for number in 0..<random.number(1...12) {
        let others = (0..<number).filter { _ in random.isOneIn(4) }
        let own = random.isOneIn(4) ? nil : time(random.number(0...4))
        order.add(own, of: id(number), requiring: others.map(id))
        required.append(others)
        times.append(own)
      }
      let commits = order.commits
      let flat = commits.flatMap(\.objects)
      #expect(flat.sorted() == Array(times.indices), "seed \(random.seed)")
      for (place, number) in flat.enumerated() {
        #expect(required[number].allSatisfy { flat.firstIndex(of: $0)! < place }, "seed \(random.seed): \(commits)")
      }
      for commit in commits {
        #expect(commit.objects.allSatisfy { times[$0] == commit.time }, "seed \(random.seed): \(commits)")
      }
      // Of objects that require nothing the times rise.
      let free = flat.filter { required[$0].isEmpty }.map { times[$0]?.microseconds ?? .min }
      #expect(free == free.sorted(), "seed \(random.seed): \(commits)")
    }
  }
}

#endif
