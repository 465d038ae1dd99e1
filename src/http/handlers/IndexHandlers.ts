import { type HttpRouter, HttpServerResponse, OpenApi } from "@effect/platform"
import { type Context, Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { features } from "../../api/Features.ts"
import { apiVersion, type ServiceIndex } from "../../api/Index.ts"
import { Networks } from "../../Networks.ts"
import { docsPage } from "../DocsPage.ts"
import { helpPage } from "../HelpPage.ts"
import { notYet } from "../NotYet.ts"
import type { Handlers } from "./Handlers.ts"

const name = "account-closeout"

type Served = Context.Tag.Service<Networks>["enabled"] extends ReadonlyMap<unknown, infer One> ? One : never

/** A gap in a list keeps some accounts from being closed unasked, not all. */
const servedAs = (network: Pick<Served, "unread" | "gaps"> | undefined) =>
  Effect.map(network?.gaps ?? Effect.succeed([]), (gaps) => ({
    enabled: network !== undefined,
    closable: network !== undefined && network.unread.length === 0,
    unread: [...new Set([...(network?.unread ?? []), ...gaps.map(({ protocol }) => protocol)])]
  }))

/** Handlers of the group `index`. */
export const index = Effect.gen(function*() {
  const { enabled } = yield* Networks
  // Made once, when somebody asks: no start waits for them. Whoever asks first may hang up.
  const page = yield* Effect.cached(
    Effect.uninterruptible(Effect.provide(docsPage, yield* Effect.context<HttpRouter.HttpRouter.DefaultServices>()))
  )
  const document = yield* Effect.cached(Effect.sync(() => HttpServerResponse.unsafeJson(OpenApi.fromApi(Api))))
  const test = enabled.get("testnet")
  const served = Effect.all([servedAs(enabled.get("mainnet")), servedAs(test)])
  const told = Effect.map(served, ([mainnet, testnet]): typeof ServiceIndex.Type => ({
    name,
    version: apiVersion,
    docs: "/docs",
    openapi: "/openapi.json",
    health: "/health",
    features,
    networks: {
      mainnet,
      testnet: {
        ...testnet,
        sandbox: test?.sandbox ?? false,
        ...(test?.sandbox === true ? { passphrase: test.passphrase } : {})
      }
    }
  }))
  const help = yield* Effect.cached(Effect.sync(helpPage))
  const handlers: Handlers["index"] = {
    index: () => told,
    openapi: () => document,
    docs: () => page,
    help: () => help,
    planView: notYet
  }
  return handlers
})
