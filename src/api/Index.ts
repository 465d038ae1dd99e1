import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { optional } from "../domain/OptionalField.ts"
import { ProtocolName } from "../domain/ProtocolName.ts"
import { Checked } from "./Checked.ts"

/** Version of this API description. */
export const apiVersion = "0.1.0"

/** Path of the API catalog (RFC 9727). */
export const apiCatalogPath = "/.well-known/api-catalog"

/** One network: whether accounts on it can be closed, and what of them is not read. */
export const ServedNetwork = Schema.Struct({
  enabled: Schema.Boolean.annotations({ description: "The network is configured here." }),
  closable: Schema.Boolean.annotations({
    description:
      "Whether accounts there can be closed. False: no merge is built. True beside protocols in `unread`: `note` says what that means."
  }),
  unread: Schema.Array(Schema.String).annotations({
    description: "Names of protocols that cannot be read, whose contract lists have a gap, or whose lists are not loaded yet."
  }),
  note: Schema.NullOr(Schema.String).annotations({
    description: "What `closable` and `unread` mean for a close here. Null: everything is read."
  })
}).annotations({ identifier: "ServedNetwork", description: "Whether accounts on a network can be closed." })

/** A protocol that is read here. */
const ServedProtocol = Schema.Struct({
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
  llms: Schema.Literal("/llms.txt").annotations({ description: "The same in short, for software that reads text." }),
  catalog: Schema.Literal(apiCatalogPath).annotations({ description: "The API catalog (RFC 9727)." }),
  keys: Schema.Literal("/keys").annotations({ description: "The page on which anyone gets an API key." }),
  close: optional(Schema.String).annotations({
    description: "The page on which a person closes an account with their own wallet. Absent where it is switched off."
  }),
  features: Schema.Array(Schema.String).annotations({
    description:
      "Fields of requests that came after the first version, as `request.<name>`, `batch.<name>`, `params.<name>` (of a decision), `key.<name>` (of a new key) and `rotation.<name>`."
  }),
  protocols: Schema.Array(ServedProtocol).annotations({ description: "Protocols whose positions are read and left here, by name." }),
  networks: Schema.Struct({
    mainnet: ServedNetwork,
    testnet: Schema.Struct({
      ...ServedNetwork.fields,
      sandbox: Schema.Boolean.annotations({ description: "True: the embedded sandbox network is served here." }),
      passphrase: optional(Schema.String).annotations({
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
  .annotate(OpenApi.Description, "Public. This document. It carries an `ETag`, so that a client fetches it again only when it changed.")

const docs = HttpApiEndpoint.get("docs", "/docs")
  .addSuccess(html)
  .annotate(OpenApi.Identifier, "getDocs")
  .annotate(OpenApi.Summary, "Documentation page")
  .annotate(
    OpenApi.Description,
    "Public. The close loop, every route with a form to call it, and every object. Loads nothing from another host."
  )

const help = HttpApiEndpoint.get("help", "/docs/errors.md")
  .addSuccess(html)
  .annotate(OpenApi.Identifier, "getErrorHelp")
  .annotate(OpenApi.Summary, "Help for errors, blockers and warnings")
  .annotate(OpenApi.Description, "Public. The page that `helpUrl` names, as HTML: each code with its cause and remedy.")

const llms = HttpApiEndpoint.get("llms", "/llms.txt")
  .addSuccess(HttpApiSchema.Text())
  .annotate(OpenApi.Identifier, "getLlmsText")
  .annotate(OpenApi.Summary, "This API in short, as text")
  .annotate(OpenApi.Description, "Public. The close loop, pages and routes as Markdown, for software that reads text.")

const catalog = HttpApiEndpoint.get("catalog", apiCatalogPath)
  .addSuccess(
    HttpApiSchema.withEncoding(
      Schema.Struct({
        linkset: Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown })).annotations({
          description: "Links to the description, documentation and status of this API."
        })
      }).annotations({ identifier: "ApiCatalog", description: "A link set (RFC 9264)." }),
      { kind: "Json", contentType: "application/linkset+json" }
    )
  )
  .annotate(OpenApi.Identifier, "getApiCatalog")
  .annotate(OpenApi.Summary, "API catalog")
  .annotate(OpenApi.Description, "Public. Where the description, documentation and status of this API are (RFC 9727).")

const planView = HttpApiEndpoint.get("planView", "/plan-view")
  .addSuccess(html)
  .annotate(OpenApi.Identifier, "getPlanView")
  .annotate(OpenApi.Summary, "Plan viewer")
  .annotate(OpenApi.Description, "Public. A page that draws a plan, pasted or from the link's fragment. It sends it nowhere.")

const allowancesView = HttpApiEndpoint.get("allowancesView", "/allowances-view")
  .addSuccess(html)
  .annotate(OpenApi.Identifier, "getAllowancesView")
  .annotate(OpenApi.Summary, "Viewer of allowances")
  .annotate(
    OpenApi.Description,
    "Public. A page that draws what others may spend, from a pasted answer of the allowances route, and prepares the requests that revoke several."
  )

const pageScript = HttpApiEndpoint.get("pageScript", "/pages/script.js")
  .addSuccess(HttpApiSchema.Text({ contentType: "text/javascript" }))
  .annotate(OpenApi.Identifier, "getPageScript")
  .annotate(OpenApi.Summary, "The script of the pages")
  .annotate(OpenApi.Description, "Public. What the pages for people run, in one file. It carries an `ETag`.")

const pageStyle = HttpApiEndpoint.get("pageStyle", "/pages/style.css")
  .addSuccess(HttpApiSchema.Text({ contentType: "text/css" }))
  .annotate(OpenApi.Identifier, "getPageStyle")
  .annotate(OpenApi.Summary, "The style of the pages")
  .annotate(OpenApi.Description, "Public. How the pages for people look. It carries an `ETag`.")

/** The way in. */
export class Index extends HttpApiGroup.make("index")
  .add(index)
  .add(openapi)
  .add(docs)
  .add(help)
  .add(llms)
  .add(catalog)
  .add(planView)
  .add(allowancesView)
  .add(pageScript)
  .add(pageStyle)
  .middleware(Checked)
  .annotate(OpenApi.Title, "Index")
  .annotate(OpenApi.Description, "The way in.")
{}
