import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import type { Keypair } from "@stellar/stellar-sdk"
import { Config, Console, Effect } from "effect"
import { Network } from "./Network.ts"
import { startSandbox } from "./Sandbox.ts"
import { DemoAccount } from "./scenarios/DemoAccount.ts"
import { FundedPair } from "./scenarios/FundedPair.ts"

const defaultPort = 8000

const show = (name: string, keys: Keypair): string => `  ${name.padEnd(22)}${keys.publicKey()}  ${keys.secret()}`

/** Runs a sandbox alone until the process is stopped. The secrets it prints are made at start and worth nothing. */
const program = Effect.gen(function*() {
  const port = yield* Config.port("SANDBOX_PORT").pipe(Config.withDefault(defaultPort))
  const sandbox = yield* startSandbox({ port, closeEvery: "5 seconds" })
  const onNetwork = Effect.provideService(Network, sandbox.network)
  const demo = yield* onNetwork(DemoAccount)
  const pair = yield* onNetwork(FundedPair)
  yield* Console.log(
    [
      "Sandbox network",
      `  ledger API            ${sandbox.ledgerApiUrl}`,
      `  contract RPC          ${sandbox.rpcUrl}`,
      `  friendbot             ${sandbox.friendbotUrl}?addr=G...`,
      `  passphrase            ${sandbox.passphrase}`,
      "Prepared accounts (address, secret)",
      show("demo account", demo.source),
      show("its destination", demo.destination),
      show("plain account", pair.source),
      show("its destination", pair.destination)
    ].join("\n")
  )
  return yield* Effect.never
})

NodeRuntime.runMain(Effect.scoped(program))
