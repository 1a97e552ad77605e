#if Import

import DaybookModel

@testable import DaybookImport

extension SourceModel {
  init(_ entities: SourceEntity...) {
    self.init()
    self.entities = entities
  }

  /// Projects with ordered tasks, people who own projects, and tags of tasks.
  static var projects: SourceModel {
    var project = SourceEntity(name: "Project")
    project.attributes = [.required("title", .string), .optional("size", .integer32), .optional("photo", .binary)]
    project.relationships = [
      .many("tasks", "Task", inverse: "project", ordered: true, .cascade), .one("owner", "Person", inverse: "projects"),
    ]
    var task = SourceEntity(name: "Task")
    task.attributes = [.required("title", .string), .optional("due", .date)]
    task.relationships = [
      .one("project", "Project", inverse: "tasks", isOptional: false), .many("tags", "Tag", inverse: "tasks"),
    ]
    var person = SourceEntity(name: "Person")
    person.attributes = [.required("name", .string)]
    person.relationships = [.many("projects", "Project", inverse: "owner")]
    var tag = SourceEntity(name: "Tag")
    tag.attributes = [.required("name", .string)]
    tag.relationships = [.many("tasks", "Task", inverse: "tags")]
    return SourceModel(project, task, person, tag)
  }
}

extension SourceAttribute {
  static func required(_ name: String, _ type: SourceAttributeType) -> SourceAttribute {
    SourceAttribute(name: name, type: type)
  }

  static func optional(_ name: String, _ type: SourceAttributeType) -> SourceAttribute {
    var attribute = SourceAttribute(name: name, type: type)
    attribute.isOptional = true
    return attribute
  }
}

extension SourceRelationship {
  static func one(
    _ name: String, _ destination: String, inverse: String? = nil, isOptional: Bool = true,
    _ rule: SourceRelationship.DeleteRule = .nullify
  ) -> SourceRelationship {
    var relationship = SourceRelationship(name: name, destination: destination)
    (relationship.inverse, relationship.isOptional, relationship.deleteRule) = (inverse, isOptional, rule)
    relationship.maximumCount = 1
    return relationship
  }

  static func many(
    _ name: String, _ destination: String, inverse: String? = nil, ordered: Bool = false,
    _ rule: SourceRelationship.DeleteRule = .nullify
  ) -> SourceRelationship {
    var relationship = SourceRelationship(name: name, destination: destination)
    (relationship.inverse, relationship.isOptional, relationship.deleteRule) = (inverse, true, rule)
    (relationship.isToMany, relationship.isOrdered) = (true, ordered)
    return relationship
  }
}

#endif
