import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { Serving } from "../../../src/serving/Serving.ts"
import { Service } from "../../close/support/Service.ts"
import { startTestService } from "../../support/TestService.ts"
import { closeout, type Ended, type Given } from "./Process.ts"

export const adminToken = "the-operators-token-of-the-command-line"

/** The service over a sandbox that closes ledgers on a timer, as a real network does. */
export const served = Layer.scoped(
  Service,
  startTestService(
    { RATE_LIMIT: "100000", ADMIN_TOKEN: adminToken, SEP10_SECRET: Keypair.random().secret(), PUBLIC_URL: "https://close.example.org/" },
    Serving.layerWith({ closeEvery: "1 second", protocols: false, accounts: false })
  )
)

/** Runs the command line against that service. */
export const run = (args: ReadonlyArray<string>, given: Given = {}): Effect.Effect<Ended, never, Service> =>
  Effect.flatMap(Service, ({ key, passphrase, url }) =>
    closeout(args, {
      ...given,
      env: { CLOSEOUT_URL: url, CLOSEOUT_API_KEY: key, CLOSEOUT_PASSPHRASE: passphrase, ...given.env }
    }))
