#if Command

import DaybookTestSupport
import Foundation
import Testing

/// What the command prints for a user who may not do something, and on volumes that are mounted read-only.
///
/// The superuser may do everything, so the command runs as another user, which takes `setpriv` and superuser rights.
@Suite(.hangLimit, .enabled(if: OtherUser.isPermitted, "the tests do not run as the superuser, or there is no setpriv"))
struct OtherUserTests {
  /// The commands that open something; `@` stands for what the other user may not read or enter.
  @Test(arguments: [
    "fetch @ Recipe", "get @ 00000002", "count @ Recipe", "log @", "tree @", "stats @", "verify @", "export @",
    "insert @ Tag name=x", "apply @ /dev/null", "rebuild @", "backup @ new", "compact @ new", "model @", "undo @",
    "watch @ Recipe --count 1", "replay @", "activity @", "projection @", "serve @ --port 0", "restore @ new",
    "import events @ /dev/null", "import git @ .", "init new --model @/file", "import events new @/file",
    "apply @/file /dev/null", "restore @/file new", "import git new --stream @/file", "init @/new --model model.json",
    "backup store @/new", "compact store @/new", "restore backup @/new", "serve store --port 0 --token-file @/file",
    "serve store --port 0 --certificate @/file --key @/file", "import git new @/file",
  ])
  func `what may not be read is not missing, and the status is 74`(command: String) throws {
    let user = try OtherUser()
    let run = try user.run(
      command.replacingOccurrences(of: "@", with: "locked"),
      before: "chmod 700 locked; : > locked/file; cp -r store/* locked/; chmod -R a+rwX store")
    #expect(run.status == 74, "\(command): status \(run.status): \(run.errors)")
    #expect(run.errors.lowercased().contains("permission"), "\(command): \(run.errors)")
    #expect(!run.errors.contains("not a Daybook store"), "\(command): \(run.errors)")
  }

  @Test(arguments: [
    ("fetch @ Recipe", 1, "There is no store"), ("verify @", 1, "There is nothing"), ("restore @ new", 1, "no backup"),
    ("init new --model @", 74, "No such file"), ("apply @ /dev/null", 1, "There is no store"),
    ("backup store @/new", 1, "does not exist"), ("serve store --port 0 --token-file @", 74, "No such file"),
  ])
  func `what is missing is reported as missing`(command: String, status: Int32, message: String) throws {
    let user = try OtherUser()
    let run = try user.run(command.replacingOccurrences(of: "@", with: "missing"), before: "chmod -R a+rwX store")
    #expect(run.status == status, "\(command): \(run.status): \(run.errors)")
    #expect(run.errors.localizedCaseInsensitiveContains(message), "\(command): \(run.errors)")
  }

  /// The flags of the mount make a volume read-only, and not what the user may write to.
  @Test(arguments: ["", "chmod 755 store store/journal; chmod 644 store/journal/*"])
  func `a store on a read-only mount is read by every user who may read its files`(modes: String) throws {
    let user = try OtherUser()
    let mount = "mkdir mounted; mount --bind store mounted && mount -o remount,ro,bind mounted || exit 99; "
    for (command, output) in [
      ("count mounted Recipe", "2\n"), ("fetch mounted Recipe --where 'servings > 3'", "Cake"),
      ("verify mounted", "ok"), ("log mounted", "2 "), ("backup mounted copy", "head 2"), ("stats mounted", "Recipe"),
      ("tree mounted", "Cake"),
    ] {
      for asUser in [true, false] {
        let run = try user.run(command, before: "chmod -R a+rX store; \(modes)\n\(mount)", asUser: asUser)
        if run.status == 99 { return }  // Mounting is not permitted here.
        #expect(run.status == 0, "\(command), as user \(asUser): \(run.errors)")
        #expect(run.output.contains(output), "\(command), as user \(asUser): \(run.output)")
      }
    }
    for command in ["insert mounted Tag name=x", "set mounted 00000002 servings=5", "undo mounted"] {
      let run = try user.run(command, before: "chmod -R a+rX store; \(modes)\n\(mount)")
      #expect(run.status == 1 && run.errors.contains("read-only"), "\(command): \(run.status) \(run.errors)")
    }
  }
}

/// A folder with a store, a backup and a model, in which commands run as a user without rights.
private struct OtherUser {
  private let kitchen: Kitchen

  static let isPermitted: Bool = {
    guard geteuid() == 0, let run = try? shell("setpriv \(rights) \"$DAYBOOK\" --version") else { return false }
    return run.status == 0
  }()

  private static let rights = "--reuid=65534 --regid=65534 --clear-groups"

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
    let directory = kitchen.directory
    try FileManager.default.moveItem(atPath: kitchen.store, toPath: directory.path("store"))
    #expect(try CommandRun(["backup", directory.path("store"), directory.path("backup")]).status == 0)
  }

  /// Runs a command in a copy of the folder, in a mount namespace of its own.
  ///
  /// - Parameter before: What the superuser does in the folder before.
  func run(
    _ command: String, before: String, asUser: Bool = true
  ) throws -> (status: Int32, output: String, errors: String) {
    try shell(
      """
      exec unshare -m bash -c '
        directory=$(mktemp -d); chmod 777 "$directory"
        finish() { umount "$directory/mounted" 2> /dev/null; rm -rf "$directory"; }
        trap finish EXIT
        cp -r "$1"/* "$directory"; cd "$directory"; mkdir locked tmp; chmod 1777 tmp
        chmod a+r backup model.json
        eval "$2"
        if [ "$4" = true ]; then set -- setpriv \(Self.rights) "$DAYBOOK"; else set -- "$DAYBOOK"; fi
        TMPDIR=$directory/tmp timeout 60 "$@" \(command.replacingOccurrences(of: "'", with: "\"")) < /dev/null
      ' _ '\(kitchen.directory.path)' '\(before.replacingOccurrences(of: "'", with: "\""))' _ \(asUser)
      """)
  }
}

#endif
