extension ModelValidation {
  mutating func checkUnique(of entity: Int, place: String) {
    var seen: Set<Set<ResolvedPath.Field>> = []
    for (index, names) in model.entities[entity].unique.enumerated() {
      let place = "\(place).unique[\(index)]"
      var fields: Set<ResolvedPath.Field> = []
      var isRight = true
      if names.isEmpty { add(place, "is empty; name attributes or to-one relationships") }
      if names.count > ModelLookup.maximumTermCount {
        add(place, "has \(names.count) members; \(ModelLookup.maximumTermCount) are allowed")
      }
      for name in names {
        do throws(ModelLookup.Complaint) {
          guard fields.insert(try lookup.uniqueField(name, of: entity)).inserted else {
            throw ModelLookup.Complaint("“\(name)” is there twice; leave one out")
          }
        } catch {
          add(place, error.message)
          isRight = false
        }
      }
      // The order of the members has no effect on collisions.
      if isRight, !fields.isEmpty, !seen.insert(fields).inserted {
        add(place, "the same constraint is there twice; leave one out")
      }
    }
  }

  mutating func checkIndexes(of entity: Int, place: String) {
    var seen: Set<[ResolvedTerm]> = []
    for (index, declared) in model.entities[entity].indexes.enumerated() {
      let place = "\(place).indexes[\(index)]"
      if declared.terms.isEmpty { add(place, "is empty; name attributes, or paths to them") }
      if declared.terms.count > ModelLookup.maximumTermCount {
        add(place, "has \(declared.terms.count) terms; \(ModelLookup.maximumTermCount) are allowed")
      }
      var terms: [ResolvedTerm] = []
      for term in declared.terms {
        do throws(ModelLookup.Complaint) {
          let resolved = try lookup.term(term, of: entity)
          if terms.contains(where: { $0.path == resolved.path }) {
            throw ModelLookup.Complaint("“\(term.pathText)” is there twice; leave one out")
          }
          terms.append(resolved)
        } catch {
          add(place, error.message)
        }
      }
      if terms.count == declared.terms.count, !terms.isEmpty, !seen.insert(terms).inserted {
        add(place, "the same index is there twice; leave one out")
      }
    }
  }

  mutating func checkGroups(of entity: Int, place: String) {
    let (groups, lookup) = (model.entities[entity].groups, lookup)
    // An object is in the groups of its entity and of all ancestors.
    let count = lookup.ancestors[entity].reduce(groups.count) { $0 + model.entities[$1].groups.count }
    if count > GroupDeclaration.maximumCount {
      let inherited = count > groups.count ? " with those of its ancestors" : ""
      add("\(place).groups", "has \(count) members\(inherited); \(GroupDeclaration.maximumCount) are allowed")
    }
    var names: Set<String> = []
    for (index, declared) in groups.enumerated() {
      let place = "\(place).groups[\(index)]\(declared.name.isEmpty ? "" : " (\(declared.name))")"
      if let complaint = ModelNames.complaint(aboutField: declared.name) { add(place, complaint) }
      if !names.insert(declared.name).inserted { add(place, "the entity has two groups of this name") }
      check(
        declared.keys, "by", limit: GroupDeclaration.maximumKeyCount, advice: "name a path, such as type.name", place
      ) { text throws(ModelLookup.Complaint) in try lookup.groupKey(text, of: entity) }
      check(
        declared.values, "show", limit: GroupDeclaration.maximumValueCount, advice: "name a value, such as count", place
      ) { text throws(ModelLookup.Complaint) in try lookup.groupValue(text, of: entity) }
    }
  }

  /// Checks a list of keys or values of groups.
  private mutating func check<Part: Hashable>(
    _ texts: [String], _ key: String, limit: Int, advice: String, _ place: String,
    _ resolve: (String) throws(ModelLookup.Complaint) -> Part
  ) {
    let place = "\(place).\(key)"
    if texts.isEmpty { add(place, "is empty; \(advice)") }
    if texts.count > limit { add(place, "has \(texts.count) members; \(limit) are allowed") }
    var seen: Set<Part> = []
    for (index, text) in texts.enumerated() {
      do throws(ModelLookup.Complaint) {
        guard seen.insert(try resolve(text)).inserted else {
          throw ModelLookup.Complaint("“\(text)” is there twice; leave one out")
        }
      } catch {
        let advice = error.message.contains("; ") ? "" : "; change the groups, or leave it out of them"
        add("\(place)[\(index)]", error.message + advice)
      }
    }
  }
}
