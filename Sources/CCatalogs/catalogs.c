/* The files of Fixtures/catalogs, embedded by the compiler. They are constants, so the system loads them only when they
   are used. */
#include "CCatalogs.h"

/* #embed is C23; clang has it in every mode. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t github[] = {
#embed "../../Fixtures/catalogs/github.jsonc"
};
static const uint8_t github_graphql[] = {
#embed "../../Fixtures/catalogs/github-graphql.jsonc"
};
static const uint8_t gitlab[] = {
#embed "../../Fixtures/catalogs/gitlab.jsonc"
};
static const uint8_t hackernews[] = {
#embed "../../Fixtures/catalogs/hackernews.jsonc"
};
static const uint8_t kubernetes[] = {
#embed "../../Fixtures/catalogs/kubernetes.jsonc"
};
static const uint8_t pokeapi[] = {
#embed "../../Fixtures/catalogs/pokeapi.jsonc"
};
static const uint8_t prometheus[] = {
#embed "../../Fixtures/catalogs/prometheus.jsonc"
};
static const uint8_t rickandmorty[] = {
#embed "../../Fixtures/catalogs/rickandmorty.jsonc"
};
static const uint8_t rickandmorty_graphql[] = {
#embed "../../Fixtures/catalogs/rickandmorty-graphql.jsonc"
};
static const uint8_t stripe[] = {
#embed "../../Fixtures/catalogs/stripe.jsonc"
};
static const uint8_t wikipedia[] = {
#embed "../../Fixtures/catalogs/wikipedia.jsonc"
};

#define CATALOG(name, text) {name, text, sizeof text}

static const larder_catalog catalogs[] = {
    CATALOG("github", github),
    CATALOG("github-graphql", github_graphql),
    CATALOG("gitlab", gitlab),
    CATALOG("hackernews", hackernews),
    CATALOG("kubernetes", kubernetes),
    CATALOG("pokeapi", pokeapi),
    CATALOG("prometheus", prometheus),
    CATALOG("rickandmorty", rickandmorty),
    CATALOG("rickandmorty-graphql", rickandmorty_graphql),
    CATALOG("stripe", stripe),
    CATALOG("wikipedia", wikipedia),
};

size_t larder_catalog_count(void) { return sizeof catalogs / sizeof catalogs[0]; }

larder_catalog larder_catalog_at(size_t index) { return catalogs[index]; }

larder_catalog larder_catalog_built_in(void) { return (larder_catalog)CATALOG("rickandmorty", rickandmorty); }
