/// The catalog that is used where no other is named: the Rick and Morty API over REST.
public enum BuiltInCatalog {
    /// The catalog's text, as a file would have it.
    public static let text = """
        {
          "larder": 1,
          "apis": {
            "rickandmorty": {"baseURL": "https://rickandmortyapi.com", "timeout": "10s", "retries": 2, "maxConcurrent": 8}
          },
          "resources": {
            "character": {
              "api": "rickandmorty",
              "id": "integer",
              "fields": {
                "id": "integer",
                "name": "string",
                "status": {"type": ["Alive", "Dead", "unknown"], "otherwise": "unknown"},
                "species": "string",
                "type?": "string",
                "gender": {"type": ["Female", "Male", "Genderless", "unknown"], "otherwise": "unknown"},
                "origin": {"name": "string", "url": "string"},
                "location": {"name": "string", "url": "string"},
                "image": "string",
                "episode?": ["string"],
                "url": "string",
                "created": "string"
              },
              "rest": {
                "get": {"path": "/api/character/{id}"},
                "getMany": {"path": "/api/character/{ids}", "maxIDs": 50},
                "list": {
                  "path": "/api/character",
                  "items": "results",
                  "filters": {"name": "name", "status": "status", "species": "species", "type": "type", "gender": "gender"},
                  "pagination": {"style": "page", "param": "page", "pages": "info.pages", "count": "info.count"},
                  "emptyOnNotFound": true
                }
              },
              "cache": {"freshFor": "1h", "keepFor": "30d"}
            },
            "location": {
              "api": "rickandmorty",
              "id": "integer",
              "fields": {
                "id": "integer",
                "name": "string",
                "type": "string",
                "dimension": "string",
                "residents": ["string"],
                "url": "string",
                "created": "string"
              },
              "rest": {
                "get": {"path": "/api/location/{id}"},
                "getMany": {"path": "/api/location/{ids}", "maxIDs": 50},
                "list": {
                  "path": "/api/location",
                  "items": "results",
                  "filters": {"name": "name", "type": "type", "dimension": "dimension"},
                  "pagination": {"style": "page", "param": "page", "pages": "info.pages", "count": "info.count"},
                  "emptyOnNotFound": true
                }
              },
              "cache": {"freshFor": "1h", "keepFor": "30d"}
            },
            "episode": {
              "api": "rickandmorty",
              "id": "integer",
              "fields": {
                "id": "integer",
                "name": "string",
                "airDate": {"from": "air_date", "type": "string"},
                "episode": "string",
                "characters": ["string"],
                "url": "string",
                "created": "string"
              },
              "rest": {
                "get": {"path": "/api/episode/{id}"},
                "getMany": {"path": "/api/episode/{ids}", "maxIDs": 50},
                "list": {
                  "path": "/api/episode",
                  "items": "results",
                  "filters": {"name": "name", "episode": "episode"},
                  "pagination": {"style": "page", "param": "page", "pages": "info.pages", "count": "info.count"},
                  "emptyOnNotFound": true
                }
              },
              "cache": {"freshFor": "1h", "keepFor": "30d"}
            }
          }
        }

        """

    /// Decodes the catalog.
    public static func decode() throws(CatalogFaults) -> Catalog {
        try CatalogDecoder.decode(Array(text.utf8), secrets: .empty)
    }
}
