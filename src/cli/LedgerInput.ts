import { Options } from "@effect/cli"
import { Effect, Option, type Scope } from "effect"
import { createRequire } from "node:module"
import { join } from "node:path"
import { firstLedgerPath, ledgerAddress, type LedgerApp, signWithLedger } from "../client/signing/Ledger.ts"
import { CommandFailed, wrongInput } from "./CommandFailed.ts"
import type { Secrets } from "./Secrets.ts"

export const ledgerOptions = {
  ledger: Options.text("ledger").pipe(
    Options.withDescription(
      "Sign with a Ledger device through this transport: an installed package, for instance @ledgerhq/hw-transport-node-hid, or a file"
    ),
    Options.optional
  ),
  ledgerPath: Options.text("ledger-path").pipe(
    Options.withDescription("The path of the key on the device"),
    Options.withDefault(firstLedgerPath)
  )
}

interface LedgerInput {
  readonly ledger: Option.Option<string>
  readonly ledgerPath: string
}

/** The link to a device. */
interface Transport {
  readonly close: () => Promise<void>
}

interface TransportClass {
  readonly create: () => Promise<Transport>
}

type AppClass = new(transport: Transport) => LedgerApp

/** The default export of a module, by the rules of CommonJS: Ledger's packages have no modules that Node can import. */
const defaultOf = (from: string | URL, name: string): unknown => {
  const loaded: unknown = createRequire(from)(name)
  return typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : loaded
}

const library = "@ledgerhq/hw-app-str"

const isMissing = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "MODULE_NOT_FOUND"

const loaded = <A>(name: string, from: string | URL): Effect.Effect<A, CommandFailed> =>
  Effect.try({
    // What it exports is for its own documentation to say.
    try: () => defaultOf(from, name) as A,
    catch: (cause) =>
      wrongInput(isMissing(cause) ? `${name} is not installed: npm install ${name}` : `${name} cannot be loaded: ${String(cause)}.`)
  })

const asked = <A>(run: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new CommandFailed({
        code: "ledger_unavailable",
        reason: `The Ledger device does not respond: ${String(cause)}. Unlock it and open its Stellar application.`,
        retry: "after_fix"
      })
  })

/** Adds the key of a Ledger device to those that can sign, where one is named. The device stays connected as long as the scope. */
export const addLedger = ({ ledger, ledgerPath }: LedgerInput, secrets: Secrets): Effect.Effect<void, CommandFailed, Scope.Scope> =>
  Effect.gen(function*() {
    if (Option.isNone(ledger)) return
    const App = yield* loaded<AppClass>(library, import.meta.url)
    const { create } = yield* Effect.map(loaded<TransportClass>(ledger.value, join(process.cwd(), "package.json")), (transport) => ({
      create: () => transport.create()
    }))
    const transport = yield* Effect.acquireRelease(asked(create), (one) => Effect.promise(() => one.close().catch(() => undefined)))
    const app = new App(transport)
    secrets.set(yield* asked(() => ledgerAddress(app, ledgerPath)), signWithLedger(app, ledgerPath))
  })
