// Made from Fixtures/catalogs/stripe.jsonc by scripts/embed-catalogs: change that file, not this one.

extension ShippedCatalog {
    static let stripe = ##"""
        // Stripe: https://docs.stripe.com/api
        //
        // STRIPE_SECRET_KEY is a secret or, better, a restricted key with the right to read. Amounts are in the
        // smallest unit of their currency. What Stripe calls `expand` is not asked for: relations are ids.
        {
          "larder": 1,
          "apis": {
            "stripe": {
              "baseURL": "https://api.stripe.com/v1",
              "headers": {"Stripe-Version": "2024-06-20"},
              "auth": {"bearer": "${env:STRIPE_SECRET_KEY}"},
              // A key may lack the right to one resource; test and live objects do not see each other.
              "errors": [{"status": 429, "kind": "rateLimited", "message": "error.message"}],
            },
          },
          "resources": {
            "customer": {
              "api": "stripe",
              "id": "string",
              "fields": {
                "id": "string",
                "email": "string?",
                "name": "string?",
                "description": "string?",
                "phone": "string?",
                "balance": "integer?",
                "currency": "string?",
                "delinquent": "boolean?",
                "country": {"from": "address.country", "type": "string?"},
                "metadata": {"*": "string"},
                "created": {"type": "date", "unit": "s"},
                "live": {"from": "livemode", "type": "boolean"},
              },
              "rest": {
                // One that was deleted is answered with 200 and little more than that it was.
                "get": {"path": "/customers/{id}", "errors": [{"when": "deleted", "is": true, "kind": "notFound"}]},
                "list": {
                  "path": "/customers",
                  "items": "data",
                  "filters": {
                    "email": "email",
                    "created": {"param": "created", "type": "date", "unit": "s"},
                    "createdFrom": {"param": "created[gte]", "type": "date", "unit": "s"},
                    "createdBefore": {"param": "created[lt]", "type": "date", "unit": "s"},
                  },
                  "pagination": {
                    "style": "cursor", "param": "starting_after", "next": {"last": "id"}, "more": "has_more",
                    "size": {"param": "limit", "value": 100},
                  },
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "90d"},
            },
            "charge": {
              "api": "stripe",
              "id": "string",
              "fields": {
                "id": "string",
                "amount": "integer",
                "refunded": {"from": "amount_refunded", "type": "integer"},
                "currency": "string",
                "status": {"type": ["succeeded", "pending", "failed", "other"], "otherwise": "other"},
                "paid": "boolean",
                "captured": "boolean",
                "customer": "string?",
                "paymentIntent": {"from": "payment_intent", "type": "string?"},
                "description": "string?",
                "failure": {"from": "failure_message", "type": "string?"},
                "receipt": {"from": "receipt_url", "type": "string?"},
                "metadata": {"*": "string"},
                "created": {"type": "date", "unit": "s"},
                "live": {"from": "livemode", "type": "boolean"},
              },
              "rest": {
                "get": {"path": "/charges/{id}"},
                "list": {
                  "path": "/charges",
                  "items": "data",
                  "filters": {
                    "customer": "customer",
                    "paymentIntent": "payment_intent",
                    "created": {"param": "created", "type": "date", "unit": "s"},
                    "createdFrom": {"param": "created[gte]", "type": "date", "unit": "s"},
                    "createdBefore": {"param": "created[lt]", "type": "date", "unit": "s"},
                  },
                  "pagination": {
                    "style": "cursor", "param": "starting_after", "next": {"last": "id"}, "more": "has_more",
                    "size": {"param": "limit", "value": 100},
                  },
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "90d"},
            },
            "paymentIntent": {
              "api": "stripe",
              "id": "string",
              "fields": {
                "id": "string",
                "amount": "integer",
                "received": {"from": "amount_received", "type": "integer"},
                "currency": "string",
                "status": "string",
                "customer": "string?",
                "charge": {"from": "latest_charge", "type": "string?"},
                "description": "string?",
                "methods": {"from": "payment_method_types", "type": ["string"]},
                "metadata": {"*": "string"},
                "created": {"type": "date", "unit": "s"},
                "live": {"from": "livemode", "type": "boolean"},
              },
              "rest": {
                "get": {"path": "/payment_intents/{id}"},
                "list": {
                  "path": "/payment_intents",
                  "items": "data",
                  "filters": {
                    "customer": "customer",
                    "created": {"param": "created", "type": "date", "unit": "s"},
                    "createdFrom": {"param": "created[gte]", "type": "date", "unit": "s"},
                    "createdBefore": {"param": "created[lt]", "type": "date", "unit": "s"},
                  },
                  "pagination": {
                    "style": "cursor", "param": "starting_after", "next": {"last": "id"}, "more": "has_more",
                    "size": {"param": "limit", "value": 100},
                  },
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "90d"},
            },
            "invoice": {
              "api": "stripe",
              "id": "string",
              "fields": {
                "id": "string",
                "number": "string?",
                "status": "string?",
                "customer": "string?",
                "currency": "string",
                "total": "integer",
                "due": {"from": "amount_due", "type": "integer"},
                "paid": {"from": "amount_paid", "type": "integer"},
                "dueDate": {"from": "due_date", "type": "date?", "unit": "s"},
                "url": {"from": "hosted_invoice_url", "type": "string?"},
                "created": {"type": "date", "unit": "s"},
                "live": {"from": "livemode", "type": "boolean"},
              },
              "rest": {
                "get": {"path": "/invoices/{id}"},
                "list": {
                  "path": "/invoices",
                  "items": "data",
                  "filters": {
                    "customer": "customer",
                    "subscription": "subscription",
                    "status": {"type": ["draft", "open", "paid", "uncollectible", "void"]},
                    "created": {"param": "created", "type": "date", "unit": "s"},
                    "createdFrom": {"param": "created[gte]", "type": "date", "unit": "s"},
                    "createdBefore": {"param": "created[lt]", "type": "date", "unit": "s"},
                  },
                  "pagination": {
                    "style": "cursor", "param": "starting_after", "next": {"last": "id"}, "more": "has_more",
                    "size": {"param": "limit", "value": 100},
                  },
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "90d"},
            },
            "subscription": {
              "api": "stripe",
              "id": "string",
              "fields": {
                "id": "string",
                "status": "string",
                "customer": "string",
                "prices": {"from": "items.data.*.price.id", "type": ["string"]},
                "cancelAtPeriodEnd": {"from": "cancel_at_period_end", "type": "boolean"},
                "canceled": {"from": "canceled_at", "type": "date?", "unit": "s"},
                "ended": {"from": "ended_at", "type": "date?", "unit": "s"},
                "metadata": {"*": "string"},
                "created": {"type": "date", "unit": "s"},
                "live": {"from": "livemode", "type": "boolean"},
              },
              "rest": {
                "get": {"path": "/subscriptions/{id}"},
                "list": {
                  "path": "/subscriptions",
                  "items": "data",
                  "filters": {
                    "customer": "customer",
                    "price": "price",
                    "status": {"type": ["active", "past_due", "unpaid", "canceled", "incomplete", "trialing", "ended", "all"]},
                    "created": {"param": "created", "type": "date", "unit": "s"},
                    "createdFrom": {"param": "created[gte]", "type": "date", "unit": "s"},
                    "createdBefore": {"param": "created[lt]", "type": "date", "unit": "s"},
                  },
                  "pagination": {
                    "style": "cursor", "param": "starting_after", "next": {"last": "id"}, "more": "has_more",
                    "size": {"param": "limit", "value": 100},
                  },
                },
              },
              "cache": {"freshFor": "5m", "keepFor": "90d"},
            },
            "product": {
              "api": "stripe",
              "id": "string",
              "fields": {
                "id": "string",
                "name": "string",
                "active": "boolean",
                "description": "string?",
                "defaultPrice": {"from": "default_price", "type": "string?"},
                "metadata": {"*": "string"},
                "updated": {"type": "date", "unit": "s"},
                "created": {"type": "date", "unit": "s"},
                "live": {"from": "livemode", "type": "boolean"},
              },
              "rest": {
                "get": {"path": "/products/{id}"},
                "list": {
                  "path": "/products",
                  "items": "data",
                  "filters": {
                    "active": {"type": "boolean"},
                    "ids": {"param": "ids[]", "type": ["string"], "join": "repeat"},
                    "created": {"param": "created", "type": "date", "unit": "s"},
                    "createdFrom": {"param": "created[gte]", "type": "date", "unit": "s"},
                    "createdBefore": {"param": "created[lt]", "type": "date", "unit": "s"},
                  },
                  "pagination": {
                    "style": "cursor", "param": "starting_after", "next": {"last": "id"}, "more": "has_more",
                    "size": {"param": "limit", "value": 100},
                  },
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "90d"},
            },
            "price": {
              "api": "stripe",
              "id": "string",
              "fields": {
                "id": "string",
                "product": "string",
                "active": "boolean",
                "currency": "string",
                "amount": {"from": "unit_amount", "type": "integer?"},
                "type": {"type": ["one_time", "recurring", "other"], "otherwise": "other"},
                "interval": {"from": "recurring.interval", "type": "string?"},
                "created": {"type": "date", "unit": "s"},
                "live": {"from": "livemode", "type": "boolean"},
              },
              "rest": {
                "get": {"path": "/prices/{id}"},
                "list": {
                  "path": "/prices",
                  "items": "data",
                  "filters": {
                    "active": {"type": "boolean"},
                    "product": "product",
                    "currency": "currency",
                    "created": {"param": "created", "type": "date", "unit": "s"},
                    "createdFrom": {"param": "created[gte]", "type": "date", "unit": "s"},
                    "createdBefore": {"param": "created[lt]", "type": "date", "unit": "s"},
                  },
                  "pagination": {
                    "style": "cursor", "param": "starting_after", "next": {"last": "id"}, "more": "has_more",
                    "size": {"param": "limit", "value": 100},
                  },
                },
              },
              "cache": {"freshFor": "1h", "keepFor": "90d"},
            },
            "event": {
              "api": "stripe",
              "id": "string",
              "fields": {
                "id": "string",
                "type": "string",
                "object": {"from": "data.object.id", "type": "string?"},
                "apiVersion": {"from": "api_version", "type": "string?"},
                "created": {"type": "date", "unit": "s"},
                "live": {"from": "livemode", "type": "boolean"},
              },
              "rest": {
                "get": {"path": "/events/{id}"},
                "list": {
                  "path": "/events",
                  "items": "data",
                  "filters": {
                    "type": "type",
                    "types": {"param": "types[]", "type": ["string"], "join": "repeat"},
                    "created": {"param": "created", "type": "date", "unit": "s"},
                    "createdFrom": {"param": "created[gte]", "type": "date", "unit": "s"},
                    "createdBefore": {"param": "created[lt]", "type": "date", "unit": "s"},
                  },
                  "pagination": {
                    "style": "cursor", "param": "starting_after", "next": {"last": "id"}, "more": "has_more",
                    "size": {"param": "limit", "value": 100},
                  },
                },
              },
              "cache": {"freshFor": "1m", "keepFor": "90d"},
            },
          },
        }

        """##
}
