import { HttpServer } from "@effect/platform"
import { Console, Effect, Layer, Option, Redacted } from "effect"
import { GeneratedKey } from "../keys/StaticKeys.ts"
import { Networks } from "../Networks.ts"
import type { EmbeddedSandbox, PreparedAccount } from "./EmbeddedSandbox.ts"
import { Serving } from "./Serving.ts"

const account = ({ destination, name, source }: PreparedAccount): string =>
  [
    `  ${name}`,
    `    account      ${source.publicKey()}`,
    `    secret       ${source.secret()}`,
    `    destination  ${destination.publicKey()}`
  ].join("\n")

const exports = (url: string, key: string, { address }: EmbeddedSandbox, { destination, source }: PreparedAccount): string =>
  [
    "To close the plain account by curl, set these in another terminal and follow \"Close an account by curl\" in the README:",
    "",
    `  export URL=${url}`,
    `  export KEY=${key}`,
    `  export SOURCE=${source.publicKey()}`,
    `  export SECRET=${source.secret()}`,
    `  export DESTINATION=${destination.publicKey()}`,
    `  export SANDBOX=${address.ledgerApiUrls[0].origin}`,
    `  export PASSPHRASE='${address.passphrase}'`
  ].join("\n")

/** A line for every network on which no account can be closed yet. */
const unread = Effect.map(
  Networks,
  ({ enabled }) =>
    [...enabled].filter(([, { unread }]) => unread.length > 0).map(([network, { unread }]) =>
      `On ${network} no account can be closed yet: ${unread.join(", ")} cannot be read by this version.`
    )
)

/** Prints where things are for the person who started a sandbox. With real networks only one line is printed, and never a secret. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function*() {
    const { address } = yield* HttpServer.HttpServer
    const { sandbox } = yield* Serving
    const generated = yield* Effect.serviceOption(GeneratedKey)
    const url = HttpServer.formatAddress(address)
    yield* Effect.acquireRelease(Effect.logInfo("listening", { url }), () => Effect.logInfo("draining", { url }))
    const limits = yield* unread
    if (sandbox === null) return yield* Console.log([`Account Close-out on ${url}, documentation at ${url}/docs`, ...limits].join("\n"))
    const key = Option.match(generated, { onNone: () => "<one of API_KEYS>", onSome: Redacted.value })
    const first = sandbox.prepared[1] ?? sandbox.prepared[0]
    yield* Console.log(
      [
        `Account Close-out on ${url}, with the embedded sandbox network as testnet`,
        ...limits,
        "",
        `  documentation  ${url}/docs`,
        `  API key        ${key}`,
        `  passphrase     ${sandbox.address.passphrase}`,
        `  contract RPC   ${sandbox.address.rpcUrls[0].href}`,
        `  ledger API     ${sandbox.address.ledgerApiUrls[0].href}`,
        "",
        "Prepared accounts. Their keys were created at start and are worth nothing.",
        ...sandbox.prepared.map(account),
        "",
        first === undefined ? "" : exports(url, key, sandbox, first)
      ].join("\n")
    )
  })
)
