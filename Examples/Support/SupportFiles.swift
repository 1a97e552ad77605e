import DaybookPage

/// The files that all applications share, and the HTML that is the same but for names.
enum SupportFiles {
  private static let shared: [(name: String, bytes: [UInt8])] = [
    ("application.css", PackageResources.application_css), ("application.js", PackageResources.application_js),
    ("choice-field.js", PackageResources.choice_field_js), ("form-log.js", PackageResources.form_log_js),
    ("form-part.js", PackageResources.form_part_js), ("form-view.js", PackageResources.form_view_js),
    ("form.js", PackageResources.form_js), ("list-part.js", PackageResources.list_part_js),
    ("object-part.js", PackageResources.object_part_js), ("objects.css", PackageResources.objects_css),
    ("order.js", PackageResources.order_js), ("pictures.js", PackageResources.pictures_js),
    ("row-editor.js", PackageResources.row_editor_js), ("section-index.js", PackageResources.section_index_js),
    ("typed-field.js", PackageResources.typed_field_js), ("words.js", PackageResources.words_js),
  ]

  /// Returns the shared files by their paths; the one at `/` is the first page, which links to all applications.
  static func all(for applications: [Application]) -> [String: PageFile] {
    var files = Dictionary(
      uniqueKeysWithValues: shared.map { ("/support/\($0.name)", PageFile($0.name, $0.bytes)) })
    files["/"] = PageFile("index.html", Array(firstPage(applications).utf8))
    return files
  }

  private static func head(_ title: String, styles: [String], modules: [String]) -> String {
    let all =
      ["<link rel=\"icon\" href=\"/page/icon.svg\" type=\"image/svg+xml\">"]
      + styles.map { "<link rel=\"stylesheet\" href=\"\($0)\">" }
      + modules.map { "<link rel=\"modulepreload\" href=\"\($0)\">" }
    return """
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
      <meta name="color-scheme" content="light dark">
      <title>\(title)</title>
      \(all.joined(separator: "\n"))
      """
  }

  private static let styles = [
    "/page/base.css", "/page/list.css", "/page/parts.css", "/support/application.css", "/support/objects.css",
  ]

  private static func firstPage(_ applications: [Application]) -> String {
    let items = applications.map { application in
      """
      <li><a href="/\(application.name)"><strong>\(application.title)</strong><span>\(application.summary)</span></a></li>
      """
    }
    return """
      <!doctype html>
      <html lang="en">
      <head>
      \(head("Applications", styles: styles, modules: []))
      </head>
      <body class="first">
      <main>
      <h1>Applications</h1>
      <p class="quiet">Each has a store of its own, which keeps all of its history.</p>
      <ul class="applications">
      \(items.joined(separator: "\n"))
      </ul>
      </main>
      </body>
      </html>
      """
  }

  /// Returns the page of an application.
  static func page(of application: Application) -> String {
    let modules =
      ["/support/application.js", "/support/list-part.js"]
      + [
        "elements", "json", "dates", "server", "stream", "difference", "follow", "format", "facts", "place", "layout",
        "rows", "cursor", "live-list", "list-view", "frame", "keyboard", "timeline", "side-panel", "commit-feed",
      ].map { "/page/\($0).js" }
    let own = application.files.keys.filter { $0.hasSuffix(".css") }.sorted().map { "/\(application.name)/\($0)" }
    return """
      <!doctype html>
      <html lang="en" data-daybook="/\(application.name)" data-title="\(application.title)">
      <head>
      \(head(application.title, styles: styles + own, modules: modules))
      <script type="module" src="/\(application.name)/\(application.name).js"></script>
      </head>
      <body class="application">
      <noscript><p class="empty">This page needs JavaScript.</p></noscript>
      <header id="top"></header>
      <main id="main" tabindex="-1"><div id="announcements" class="hidden" role="status"></div></main>
      <aside id="side" aria-label="History" hidden></aside>
      <section id="time" aria-label="Time"></section>
      </body>
      </html>
      """
  }
}

extension Application {
  /// The files under the path of the application.
  var pageFiles: [String: PageFile] {
    var all = Dictionary(uniqueKeysWithValues: files.map { ("/\($0.key)", PageFile($0.key, $0.value)) })
    all["/"] = PageFile("index.html", Array(SupportFiles.page(of: self).utf8))
    return all
  }
}
