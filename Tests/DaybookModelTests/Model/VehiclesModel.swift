@testable import DaybookModel

/// A hierarchy of three levels, beside an entity that leads to its root.
let vehiclesText = """
  {"entities": [
    {"name": "Vehicle", "abstract": true, "nameAttribute": "name",
     "attributes": [
       {"name": "name", "type": "string"},
       {"name": "wheels", "type": "integer", "default": 4},
       {"name": "partCount", "derived": {"count": "parts"}}],
     "relationships": [
       {"name": "owner", "to": "Person", "inverse": "vehicles", "optional": true},
       {"name": "parts", "to": "Part", "many": true, "inverse": "vehicle", "onDelete": "cascade"}],
     "unique": [["name"]],
     "indexes": [["wheels", "name"]]},
    {"name": "Car", "parent": "Vehicle",
     "attributes": [{"name": "doors", "type": "integer", "optional": true}],
     "indexes": [["doors", "name"], ["owner.name"]]},
    {"name": "Taxi", "parent": "Car", "attributes": [{"name": "licence", "type": "string", "optional": true}],
     "unique": [["licence"]]},
    {"name": "Truck", "parent": "Vehicle", "attributes": [{"name": "load", "type": "double", "optional": true}]},
    {"name": "Person", "attributes": [{"name": "name", "type": "string"}],
     "relationships": [{"name": "vehicles", "to": "Vehicle", "many": true, "inverse": "owner"}]},
    {"name": "Part", "attributes": [{"name": "name", "type": "string"}],
     "relationships": [{"name": "vehicle", "to": "Vehicle", "inverse": "parts"}]}]}
  """

func vehicles() throws -> Model { try Model(parsing: Array(vehiclesText.utf8)) }
