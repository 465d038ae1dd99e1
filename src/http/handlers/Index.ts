import { HttpApiBuilder, HttpServerResponse, OpenApi } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { apiVersion, type ServiceIndex } from "../../api/Index.ts"
import { docsPage } from "../DocsPage.ts"
import { Networks } from "../../Networks.ts"
import { notYet } from "../NotYet.ts"

const name = "account-closeout"

const servedAs = (network: { readonly unread: ReadonlyArray<string> } | undefined) => ({
  enabled: network !== undefined,
  closable: network !== undefined && network.unread.length === 0,
  unread: network?.unread ?? []
})

/** Handlers of the group `index`. */
export const layer = HttpApiBuilder.group(Api, "index", (handlers) =>
  Effect.gen(function*() {
    const { enabled } = yield* Networks
    const page = yield* docsPage
    const document = HttpServerResponse.unsafeJson(OpenApi.fromApi(Api))
    const test = enabled.get("testnet")
    const index: typeof ServiceIndex.Type = {
      name,
      version: apiVersion,
      docs: "/docs",
      openapi: "/openapi.json",
      health: "/health",
      networks: {
        mainnet: servedAs(enabled.get("mainnet")),
        testnet: {
          ...servedAs(test),
          sandbox: test?.sandbox ?? false,
          ...(test?.sandbox === true ? { passphrase: test.passphrase } : {})
        }
      }
    }
    return handlers
      .handle("index", () => Effect.succeed(index))
      .handle("openapi", () => Effect.succeed(document))
      .handle("docs", () => Effect.succeed(page))
      .handle("planView", notYet)
  }))
