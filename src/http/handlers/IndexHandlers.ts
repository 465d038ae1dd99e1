import { HttpApiBuilder, HttpServerResponse, OpenApi } from "@effect/platform"
import { type Context, Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { apiOf } from "../../api/ApiOf.ts"
import { features } from "../../api/Features.ts"
import { apiCatalogPath, apiVersion, type ServedNetwork, type ServiceIndex } from "../../api/Index.ts"
import { protocolDocs } from "../../domain/ProtocolHelp.ts"
import { Networks } from "../../Networks.ts"
import { closePageState } from "../close-page/ClosePageState.ts"
import { apiCatalog } from "../docs/ApiCatalog.ts"
import { docsPage } from "../docs/DocsPage.ts"
import { helpPage } from "../docs/HelpPage.ts"
import { llmsText } from "../docs/LlmsText.ts"
import { pageFacts } from "../page/PageFacts.ts"
import { pageFiles } from "../page/PageFiles.ts"
import { pageHtml } from "../page/PageHtml.ts"
import { cacheable } from "../wire/Cacheable.ts"
import { ServiceOrigin } from "../wire/HelpLinks.ts"

const name = "account-closeout"

type Served = Context.Tag.Service<Networks>["enabled"] extends ReadonlyMap<unknown, infer One> ? One : never

const notServed: typeof ServedNetwork.Type = {
  enabled: false,
  closable: false,
  unread: [],
  note: "This network is switched off on this service."
}

/** What is not read on a network, and what that means for a close. */
const servedAs = ({ lists, unread }: Pick<Served, "unread" | "lists">) =>
  Effect.map(lists, ({ gaps, pending }): typeof ServedNetwork.Type => {
    const told = [
      ...(unread.length === 0 ? [] : [`Positions in ${unread.join(", ")} cannot be read by this service, so no merge is built.`]),
      ...gaps.map(({ gap: { fromLedger, toLedger }, protocol }) =>
        `Contracts of ${protocol} created in ledgers ${fromLedger} to ${toLedger} may be unknown. If an account may hold something in one of them, its plan has a decision point about it. Every other account closes as usual.`
      ),
      ...(pending.length === 0
        ? []
        : [`The contracts of ${pending.join(", ")} are not listed yet. The service lists them when it reads the first account.`])
    ]
    return {
      enabled: true,
      closable: unread.length === 0,
      unread: [...new Set([...unread, ...gaps.map(({ protocol }) => protocol), ...pending])],
      note: told.length === 0 ? null : told.join(" ")
    }
  })

/** Every protocol that is registered on some network, each once, by name. */
const protocolsOf = (networks: ReadonlyArray<Pick<Served, "registered">>): (typeof ServiceIndex.Type)["protocols"] => {
  const labels = new Map(networks.flatMap(({ registered }) => registered).map(({ label, name }) => [name, label]))
  return [...labels].map(([name, label]) => ({ name, label, docs: protocolDocs(name) })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const made = Effect.gen(function*() {
  const { enabled } = yield* Networks
  const outside = [...new Set([...enabled.values()].flatMap((network) => network.outside))].toSorted()
  const api = apiOf(outside)
  // Made once, on the first request, so that no start waits for them.
  const once = (make: () => HttpServerResponse.HttpServerResponse) => Effect.cached(Effect.sync(() => cacheable(make())))
  const spec = yield* Effect.cached(Effect.sync(() => OpenApi.fromApi(api)))
  const ofSpec = (make: (document: OpenApi.OpenAPISpec) => HttpServerResponse.HttpServerResponse) =>
    Effect.cached(Effect.map(spec, (document) => cacheable(make(document))))
  const document = yield* ofSpec((document) => HttpServerResponse.unsafeJson(document))
  const page = yield* ofSpec((document) => docsPage(document, [...enabled.keys()]))
  const llms = yield* ofSpec(llmsText)
  const origin = yield* ServiceOrigin
  const catalog = yield* once(() => apiCatalog(origin))
  const files = yield* pageFiles
  const facts = yield* pageFacts
  const state = yield* closePageState
  const protocols = protocolsOf([...enabled.values()])
  const test = enabled.get("testnet")
  const toldOf = (network: Served | undefined) => (network === undefined ? Effect.succeed(notServed) : servedAs(network))
  const served = Effect.all([toldOf(enabled.get("mainnet")), toldOf(test)])
  const told = Effect.map(served, ([mainnet, testnet]): typeof ServiceIndex.Type => ({
    name,
    version: apiVersion,
    docs: "/docs",
    openapi: "/openapi.json",
    health: "/health",
    llms: "/llms.txt",
    catalog: apiCatalogPath,
    keys: "/keys",
    ...(state === "off" ? {} : { close: "/close" }),
    features,
    protocols,
    networks: {
      mainnet,
      testnet: {
        ...testnet,
        sandbox: test?.sandbox ?? false,
        ...(test?.sandbox === true ? { passphrase: test.passphrase } : {})
      }
    }
  }))
  const help = yield* once(helpPage)
  return { catalog, document, facts, files, help, index: told, llms, page }
})

/** Handlers of the group `index`. */
export const layer = HttpApiBuilder.group(
  Api,
  "index",
  (handlers) =>
    Effect.map(made, ({ catalog, document, facts, files, help, index, llms, page }) =>
      handlers
        .handle("index", () => index)
        .handle("openapi", () => document)
        .handle("docs", () => page)
        .handle("help", () => help)
        .handle("llms", () => llms)
        .handle("catalog", () => catalog)
        .handle("planView", () => Effect.succeed(pageHtml("plan", facts)))
        .handle("allowancesView", () => Effect.succeed(pageHtml("allowances", facts)))
        .handle("pageScript", () => files.script)
        .handle("pageStyle", () => Effect.succeed(files.style)))
)
