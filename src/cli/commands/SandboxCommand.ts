import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { jsonOption } from "../Connection.ts"
import { jsonText } from "../Foreign.ts"
import { bold, print } from "../Screen.ts"

const description = `Runs a service over a sandbox network of its own until it is stopped, with accounts to close.
Their keys are made at start and worth nothing.

Examples:
  closeout sandbox
  closeout sandbox --positions --json`

const input = {
  positions: Options.boolean("positions").pipe(Options.withDescription("Deploy every protocol, with an account that holds positions")),
  json: jsonOption
}

/** `closeout sandbox`. */
export const sandboxCommand = Command.make("sandbox", input, ({ json, positions }) =>
  Effect.scoped(Effect.gen(function*() {
    const { startEmbedded } = yield* Effect.promise(() => import("../../serving/EmbeddedService.ts"))
    const { accounts, ...service } = yield* startEmbedded({ protocols: positions })
    const shown = accounts.map(({ destination, name, source }) => ({
      name,
      source: source.publicKey(),
      secret: source.secret(),
      destination: destination.publicKey()
    }))
    yield* json ? print(jsonText({ ...service, accounts: shown })) : print(
      bold("A service over a sandbox network. Set these in another terminal:"),
      "",
      `  export CLOSEOUT_URL=${service.url}`,
      `  export CLOSEOUT_API_KEY=${service.key}`,
      `  export CLOSEOUT_PASSPHRASE='${service.passphrase}'`,
      "",
      `  contract RPC  ${service.rpcUrl}`,
      `  ledger API    ${service.ledgerApiUrl}`,
      ...shown.flatMap(({ destination, name, secret, source }) => [
        "",
        bold(name),
        `  account      ${source}`,
        `  secret       ${secret}`,
        `  destination  ${destination}`
      ])
    )
    return yield* Effect.never
  }))).pipe(Command.withDescription(description))
