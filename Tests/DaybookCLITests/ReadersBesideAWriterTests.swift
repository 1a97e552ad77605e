#if Command

import Daybook
import DaybookModel
import DaybookTestSupport
import Synchronization
import Testing

/// Readers while another process has the write lock and does not give it back.
@Suite(.hangLimit) struct ReadersBesideAWriterTests {
  /// Commands that read, with the store as `$S`, an object as `$O`, a large value as `$V` and a directory as `$D`.
  private static let commands = [
    "fetch $S Recipe --sort name", "fetch $S Recipe --at 2", "count $S Recipe", "get $S $O", "log $S",
    "log $S --author editor",
    "log $S --object $O", "diff $S Recipe --from 1 --to 2", "tree $S", "stats $S", "blame $S $O", "bisect $S Recipe",
    "trace $S 2", "value $S $V \"$D/value\"", "projection $S", "watch $S Recipe --count 0", "activity $S",
    "backup $S \"$D/backup\"", "replication $S; [ $? = 1 ]", "export $S", "verify $S", "model $S", "replay $S Recipe",
    "compact $S \"$D/compact\"", "log $S --follow --limit 2",
  ]

  private static let paths = [
    "/health/live", "/health/ready", "/api/stats", "/api/model", "/api/activity", "/api/fetch/Recipe",
    "/api/fetch/Recipe?at=2",
    "/api/objects/$O", "/api/objects/$O/log", "/api/objects/$O/blame", "/api/commits", "/api/commits?author=editor",
    "/api/diff/Recipe?from=1", "/api/tree", "/api/changes/Recipe?count=0", "/api/histogram",
    "/api/changes?follow=Recipe&follow=Tag", "/api/commits/stream", "/api/tree/stream", "/api/values/$V",
    "/openapi.json", "/metrics",
  ]

  private static let photo = [UInt8](repeating: 7, count: 100_000)

  /// Makes a store with a large value, and with a tree.
  private static func makeKitchen() throws -> Kitchen {
    let kitchen = try Kitchen(Kitchen.menu)
    let store = try Store(at: kitchen.store)
    defer { store.close() }
    var model = try Model(parsing: Array(Kitchen.model.utf8))
    model.entities[0].attributes.append(Attribute(name: "photo", type: .data, isOptional: true))
    model.entities[0].relationships += [
      Relationship(name: "base", target: "Recipe", inverse: "variants", isOptional: true),
      Relationship(name: "variants", target: "Recipe", inverse: "base", isMany: true),
    ]
    try store.apply(model)
    let cake = try #require(ObjectID(Kitchen.id(2)))
    try store.write { try $0.set(cake, ["photo": .data(photo)]) }
    return kitchen
  }

  /// Each command, and each GET of a server, within a time; prints what fails.
  private static func script(_ store: String) -> String {
    """
    S='\(store)'; O=\(Kitchen.id(2)); V=\(Digest(hashing: photo.rawSpan)); D=$(mktemp -d); trap 'kill $P 2>/dev/null; rm -rf "$D"' EXIT
    while IFS= read -r line; do
      eval "timeout 60 \\"$DAYBOOK\\" $line" >"$D/out" 2>"$D/err" </dev/null
      s=$?; [ $s = 0 ] || { echo "$line: $s"; head -c 300 "$D/err"; }
    done <<'LINES'
    \(commands.joined(separator: "\n"))
    LINES
    "$DAYBOOK" serve "$S" --port 0 >"$D/serve" 2>&1 & P=$!
    for i in $(seq 600); do port=$(grep -o '127.0.0.1:[0-9]*' "$D/serve" | head -n 1); [ -n "$port" ] && break; sleep 0.1; done
    [ -n "$port" ] || { echo "the server does not listen"; cat "$D/serve"; exit 1; }
    while IFS= read -r path; do
      path=$(eval "echo \\"$path\\"")
      exec 3<>/dev/tcp/127.0.0.1/${port#*:} || { echo "no connection"; exit 1; }
      printf 'GET %s HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' "$path" >&3
      IFS= read -r -t 60 status <&3 || status="no answer"
      exec 3>&-
      case "$status" in *" 200 "*) ;; *) echo "$path: $status" ;; esac
    done <<'LINES'
    \(paths.joined(separator: "\n"))
    LINES
    kill -TERM $P; for i in $(seq 150); do kill -0 $P 2>/dev/null || exit 0; sleep 0.1; done
    echo "the server does not end"; kill -9 $P
    """
  }

  @Test func readersEndWhileAWriteIsUnderWay() throws {
    let kitchen = try Self.makeKitchen()
    let writer = try Store(at: kitchen.store)
    defer { writer.close() }
    try writer.write { tx in
      try tx.insert("Recipe", ["name": "Tart"])
      let run = try shell(Self.script(kitchen.store))
      #expect(run.output == "", "\(run.errors)")
    }
  }

  @Test func readersSeeACommitWhoseWriterStopsBeforeItsProjections() throws {
    let kitchen = try Self.makeKitchen()
    var options = StoreOptions()
    let outputs = Mutex<[String]>([])
    let script = Self.script(kitchen.store)
    let store = kitchen.store
    options.probe = { probe in
      guard probe == .betweenCommits else { return }
      let seen = try? CommandRun(["count", store, "Recipe"]).output
      let run = try? shell(script)
      outputs.withLock { $0 = [seen ?? "", run?.output ?? "the script did not run"] }
    }
    let writer = try Store(at: kitchen.store, options: options)
    defer { writer.close() }
    try writer.write { try $0.insert("Recipe", ["name": "Tart"]) }
    #expect(outputs.withLock { $0 } == ["3\n", ""])
  }
}

#endif
