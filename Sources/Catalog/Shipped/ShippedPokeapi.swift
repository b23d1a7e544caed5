// Made from Fixtures/catalogs/pokeapi.jsonc by scripts/embed-catalogs: change that file, not this one.

extension ShippedCatalog {
    static let pokeapi = ##"""
        // PokeAPI: https://pokeapi.co/docs/v2
        //
        // Its lists have stubs, a name and a URL with the id in it; a get has the whole item. What it serves changes
        // with new games only, and its rules of fair use ask for caches.
        {
          "larder": 1,
          "apis": {
            "pokeapi": {"baseURL": "https://pokeapi.co/api/v2"},
          },
          "resources": {
            "pokemon": {
              "api": "pokeapi",
              "id": {"type": "integer", "from": {"get": "id", "list": "url"}, "match": "*/{id}/"},
              "fields": {
                "id": "integer",
                "name": "string",
                "height": "integer",
                "weight": "integer",
                "baseExperience": {"from": "base_experience", "type": "integer?"},
                "isDefault": {"from": "is_default", "type": "boolean"},
                "species": {"from": "species.name", "type": "string"},
                "types": {"from": "types.*.type.name", "type": ["string"]},
                "abilities": {"from": "abilities.*.ability.name", "type": ["string"]},
                "moves": {"from": "moves.*.move.name", "type": ["string"]},
                "stats": [
                  {
                    "name": {"from": "stat.name", "type": "string"},
                    "base": {"from": "base_stat", "type": "integer"},
                    "effort": "integer",
                  },
                ],
                "image": {"from": "sprites.front_default", "type": "string?"},
              },
              "rest": {
                "get": {"path": "/pokemon/{id}/"},
                "list": {
                  "path": "/pokemon/",
                  "items": "results",
                  "complete": false,
                  "pagination": {
                    "style": "offset", "param": "offset", "size": {"param": "limit", "value": 100},
                    "count": "count", "next": "next", "previous": "previous",
                  },
                },
              },
              "cache": {"freshFor": "30d"},
            },
            "species": {
              "api": "pokeapi",
              "id": {"type": "integer", "from": {"get": "id", "list": "url"}, "match": "*/{id}/"},
              "fields": {
                "id": "integer",
                "name": "string",
                "genderRate": {"from": "gender_rate", "type": "integer"},
                "captureRate": {"from": "capture_rate", "type": "integer"},
                "isLegendary": {"from": "is_legendary", "type": "boolean"},
                "isMythical": {"from": "is_mythical", "type": "boolean"},
                "color": {"from": "color.name", "type": "string?"},
                "habitat": {"from": "habitat.name", "type": "string?"},
                "generation": {"from": "generation.name", "type": "string"},
                "evolvesFrom": {"from": "evolves_from_species.name", "type": "string?"},
                "varieties": {"from": "varieties.*.pokemon.name", "type": ["string"]},
                "names": [{"language": {"from": "language.name", "type": "string"}, "name": "string"}],
              },
              "rest": {
                "get": {"path": "/pokemon-species/{id}/"},
                "list": {
                  "path": "/pokemon-species/",
                  "items": "results",
                  "complete": false,
                  "pagination": {
                    "style": "offset", "param": "offset", "size": {"param": "limit", "value": 100},
                    "count": "count", "next": "next", "previous": "previous",
                  },
                },
              },
              "cache": {"freshFor": "30d"},
            },
            "type": {
              "api": "pokeapi",
              "id": {"type": "integer", "from": {"get": "id", "list": "url"}, "match": "*/{id}/"},
              "fields": {
                "id": "integer",
                "name": "string",
                "doubleDamageTo": {"from": "damage_relations.double_damage_to.*.name", "type": ["string"]},
                "halfDamageTo": {"from": "damage_relations.half_damage_to.*.name", "type": ["string"]},
                "noDamageTo": {"from": "damage_relations.no_damage_to.*.name", "type": ["string"]},
                "pokemon": {"from": "pokemon.*.pokemon.name", "type": ["string"]},
              },
              "rest": {
                "get": {"path": "/type/{id}/"},
                "list": {
                  "path": "/type/",
                  "items": "results",
                  "complete": false,
                  "pagination": {
                    "style": "offset", "param": "offset", "size": {"param": "limit", "value": 100},
                    "count": "count", "next": "next", "previous": "previous",
                  },
                },
              },
              "cache": {"freshFor": "30d"},
            },
            "move": {
              "api": "pokeapi",
              "id": {"type": "integer", "from": {"get": "id", "list": "url"}, "match": "*/{id}/"},
              "fields": {
                "id": "integer",
                "name": "string",
                "power": "integer?",
                "accuracy": "integer?",
                "pp": "integer?",
                "priority": "integer",
                "type": {"from": "type.name", "type": "string"},
                "damageClass": {"from": "damage_class.name", "type": "string?"},
              },
              "rest": {
                "get": {"path": "/move/{id}/"},
                "list": {
                  "path": "/move/",
                  "items": "results",
                  "complete": false,
                  "pagination": {
                    "style": "offset", "param": "offset", "size": {"param": "limit", "value": 100},
                    "count": "count", "next": "next", "previous": "previous",
                  },
                },
              },
              "cache": {"freshFor": "30d"},
            },
          },
        }

        """##
}
