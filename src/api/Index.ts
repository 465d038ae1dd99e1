import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ProtocolName } from "../domain/ProtocolName.ts"
import { Checked } from "./Checked.ts"
import { failures } from "./ErrorTable.ts"

/** Version of this API description. */
export const apiVersion = "0.1.0"

/** One network: whether accounts on it can be closed, and what of them is not read. */
export const ServedNetwork = Schema.Struct({
  enabled: Schema.Boolean.annotations({ description: "The network is configured here." }),
  closable: Schema.Boolean.annotations({
    description:
      "Whether accounts there can be closed. False: no merge is built. True beside protocols in `unread`: `note` says what that means."
  }),
  unread: Schema.Array(Schema.String).annotations({
    description: "Protocols that are not read, not wholly, or not yet since the start, by name."
  }),
  note: Schema.NullOr(Schema.String).annotations({
    description: "What `closable` and `unread` mean for a close here. Null: everything is read."
  })
}).annotations({ identifier: "ServedNetwork", description: "Whether accounts on a network can be closed." })

/** A protocol that is read here. */
export const ServedProtocol = Schema.Struct({
  name: ProtocolName,
  label: Schema.String.annotations({ description: "What people call it." }),
  docs: Schema.String.annotations({ description: "Path of this service: what is read of it and how it is left." })
}).annotations({ identifier: "ServedProtocol", description: "A protocol whose positions are read and left." })

/** Where to go from the root. */
export const ServiceIndex = Schema.Struct({
  name: Schema.String.annotations({ description: "Name of the service." }),
  version: Schema.Literal(apiVersion).annotations({ jsonSchema: { type: "string", description: "Version of this API." } }),
  docs: Schema.Literal("/docs").annotations({ description: "The documentation page." }),
  openapi: Schema.Literal("/openapi.json").annotations({ description: "The OpenAPI document." }),
  health: Schema.Literal("/health").annotations({ description: "The health check." }),
  keys: Schema.Literal("/keys").annotations({ description: "The page on which anyone gets an API key." }),
  features: Schema.Array(Schema.String).annotations({
    description:
      "Fields of requests that came after the first version, as `request.<name>`, `batch.<name>` and `params.<name>` (of a decision)."
  }),
  protocols: Schema.Array(ServedProtocol).annotations({ description: "Protocols whose positions are read and left here, by name." }),
  networks: Schema.Struct({
    mainnet: ServedNetwork,
    testnet: Schema.Struct({
      ...ServedNetwork.fields,
      sandbox: Schema.Boolean.annotations({ description: "True: the embedded sandbox network is served here." }),
      passphrase: Schema.optionalWith(Schema.String, { exact: true }).annotations({
        description: "Passphrase of the sandbox, when it is one."
      })
    }).annotations({ identifier: "ServedTestnet", description: "The test network, or the sandbox in its place." })
  }).annotations({ identifier: "ServedNetworks", description: "The networks, by name." })
}).annotations({ identifier: "ServiceIndex", description: "Where to go from the root." })

const html = HttpApiSchema.Text({ contentType: "text/html" })

const index = HttpApiEndpoint.get("index", "/")
  .addSuccess(ServiceIndex)
  .annotate(OpenApi.Identifier, "getIndex")
  .annotate(OpenApi.Summary, "What is here")
  .annotate(OpenApi.Description, "Public. Where to go, and which networks are served.")

const openapi = HttpApiEndpoint.get("openapi", "/openapi.json")
  .addSuccess(
    Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
      description: "This document (OpenAPI 3.1).",
      jsonSchema: { type: "object", additionalProperties: true }
    })
  )
  .annotate(OpenApi.Identifier, "getOpenApi")
  .annotate(OpenApi.Summary, "The description of this API")
  .annotate(OpenApi.Description, "Public. This document. It carries an `ETag`, so that a client asks only whether it changed.")

const docs = HttpApiEndpoint.get("docs", "/docs")
  .addSuccess(html)
  .annotate(OpenApi.Identifier, "getDocs")
  .annotate(OpenApi.Summary, "Documentation page")
  .annotate(OpenApi.Description, "Public. Shows this document; loads nothing from another host. It carries an `ETag`.")

const help = HttpApiEndpoint.get("help", "/docs/errors.md")
  .addSuccess(html)
  .annotate(OpenApi.Identifier, "getErrorHelp")
  .annotate(OpenApi.Summary, "Help for errors, blockers and warnings")
  .annotate(OpenApi.Description, "Public. The page that `helpUrl` of a blocker or warning names, as HTML.")

const planView = HttpApiEndpoint.get("planView", "/plan-view")
  .addSuccess(html)
  .addError(failures("NotImplemented"))
  .annotate(OpenApi.Identifier, "getPlanView")
  .annotate(OpenApi.Summary, "Plan viewer")
  .annotate(OpenApi.Description, "Public. One self-contained page that draws a pasted plan.")

/** The way in. */
export class Index extends HttpApiGroup.make("index")
  .add(index)
  .add(openapi)
  .add(docs)
  .add(help)
  .add(planView)
  .middleware(Checked)
  .annotate(OpenApi.Title, "Index")
  .annotate(OpenApi.Description, "The way in.")
{}
