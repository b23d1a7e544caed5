// Made from Fixtures/catalogs/rickandmorty-graphql.jsonc by scripts/embed-catalogs: change that file, not this one.

extension ShippedCatalog {
    static let rickandmortyGraphql = ##"""
        // The Rick and Morty API over GraphQL. Every field comes out as it does over REST (the built-in catalog), and
        // relations as ids: REST has URLs there, of which GraphQL has none.
        {
          "larder": 1,
          "apis": {
            "rickandmorty": {"baseURL": "https://rickandmortyapi.com", "timeout": "10s", "retries": 2, "maxConcurrent": 8},
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
                "origin": {"id": "integer?", "name": "string"},
                "location": {"id": "integer?", "name": "string"},
                "image": "string",
                "episode": {"from": "episode.*.id", "type": ["integer"]},
                "created": "string",
              },
              "graphql": {
                "path": "/graphql",
                "get": {
                  "query": "query ($id: ID!) { character(id: $id) { id name status species type gender origin { id name } location { id name } image episode { id } created } }",
                  "item": "character",
                },
                "getMany": {
                  "query": "query ($ids: [ID!]!) { charactersByIds(ids: $ids) { id name status species type gender origin { id name } location { id name } image episode { id } created } }",
                  "items": "charactersByIds",
                  "maxIDs": 50,
                },
                "list": {
                  "query": "query ($page: Int, $name: String, $status: String, $species: String, $type: String, $gender: String) { characters(page: $page, filter: {name: $name, status: $status, species: $species, type: $type, gender: $gender}) { info { count pages } results { id name status species type gender origin { id name } location { id name } image episode { id } created } } }",
                  "items": "characters.results",
                  "filters": {"name": "name", "status": "status", "species": "species", "type": "type", "gender": "gender"},
                  "pagination": {"style": "page", "param": "page", "pages": "characters.info.pages", "count": "characters.info.count"},
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "30d"},
            },
            "location": {
              "api": "rickandmorty",
              "id": "integer",
              "fields": {
                "id": "integer",
                "name": "string",
                "type": "string",
                "dimension": "string",
                "residents": {"from": "residents.*.id", "type": ["integer"]},
                "created": "string",
              },
              "graphql": {
                "path": "/graphql",
                "get": {
                  "query": "query ($id: ID!) { location(id: $id) { id name type dimension residents { id } created } }",
                  "item": "location",
                },
                "getMany": {
                  "query": "query ($ids: [ID!]!) { locationsByIds(ids: $ids) { id name type dimension residents { id } created } }",
                  "items": "locationsByIds",
                  "maxIDs": 50,
                },
                "list": {
                  "query": "query ($page: Int, $name: String, $type: String, $dimension: String) { locations(page: $page, filter: {name: $name, type: $type, dimension: $dimension}) { info { count pages } results { id name type dimension residents { id } created } } }",
                  "items": "locations.results",
                  "filters": {"name": "name", "type": "type", "dimension": "dimension"},
                  "pagination": {"style": "page", "param": "page", "pages": "locations.info.pages", "count": "locations.info.count"},
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "30d"},
            },
            "episode": {
              "api": "rickandmorty",
              "id": "integer",
              "fields": {
                "id": "integer",
                "name": "string",
                "airDate": {"from": "air_date", "type": "string"},
                "episode": "string",
                "characters": {"from": "characters.*.id", "type": ["integer"]},
                "created": "string",
              },
              "graphql": {
                "path": "/graphql",
                "get": {
                  "query": "query ($id: ID!) { episode(id: $id) { id name air_date episode characters { id } created } }",
                  "item": "episode",
                },
                "getMany": {
                  "query": "query ($ids: [ID!]!) { episodesByIds(ids: $ids) { id name air_date episode characters { id } created } }",
                  "items": "episodesByIds",
                  "maxIDs": 50,
                },
                "list": {
                  "query": "query ($page: Int, $name: String, $episode: String) { episodes(page: $page, filter: {name: $name, episode: $episode}) { info { count pages } results { id name air_date episode characters { id } created } } }",
                  "items": "episodes.results",
                  "filters": {"name": "name", "episode": "episode"},
                  "pagination": {"style": "page", "param": "page", "pages": "episodes.info.pages", "count": "episodes.info.count"},
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "30d"},
            },
          },
        }

        """##
}
