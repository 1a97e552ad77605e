import DaybookMacros
import ExampleSupport

await runExample { directory in
  let store = try Store.create(at: "\(directory)/events.daybook", model: Model(Event.self))
  let list = try EventList(store)
  let follower = Task { try await list.follow() }

  tell("The first event: its section comes with it.")
  let standUp = try await store.write { try $0.insert(Event("02T09:00", "Stand-up")) }
  await list.change()

  tell("A newer one of the same day, and one of the day before.")
  let lunch = try await store.write { try $0.insert(Event("02T12:30", "Lunch")) }
  await list.change()
  let flight = try await store.write { try $0.insert(Event("01T18:45", "Flight")) }
  await list.change()

  tell("An event gets another name: an update.")
  try await store.write { try $0.rename(lunch, to: "Lunch with Noor") }
  await list.change()

  tell("It gets another time, which does not take it past its neighbour: an update, not a move.")
  try await store.write { try $0.set(lunch, \.timeStamp, .at("02T13:00")) }
  await list.change()

  tell("It is put before the stand-up: a move. One of the two moves, and the other one is not mentioned.")
  try await store.write { try $0.set(lunch, \.timeStamp, .at("02T08:30")) }
  await list.change()

  tell("It is put to the day before: a move into another section.")
  try await store.write { try $0.set(lunch, \.timeStamp, .at("01T12:30")) }
  await list.change()

  tell("The stand-up, the last of its day, is put off: a section goes, another one comes, and the row moves.")
  try await store.write { try $0.set(standUp, \.timeStamp, .at("03T09:00")) }
  await list.change()

  tell("Many things in one commit:")
  try await store.write { tx in
    try tx.insert(Event("03T17:00", "Retrospective"))
    try tx.insert(Event("02T10:00", "Dentist"))
    try tx.rename(standUp, to: "Late stand-up")
    try tx.set(flight, \.timeStamp, .at("01T07:15"))
  }
  await list.change()

  tell("The events of the first day are deleted, one after the other: the last one takes the section with it.")
  try await store.write { try $0.delete(flight) }
  await list.change()
  try await store.write { try $0.delete(lunch) }
  await list.change()

  tell("In the end:")
  follower.cancel()
  try await follower.value
  try list.show()
}
