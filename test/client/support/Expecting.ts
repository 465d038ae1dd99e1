import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { AccountView } from "../../../src/client/AccountView.ts"
import type { Agreement } from "../../../src/client/Agreement.ts"
import { settingsOf } from "../../../src/client/CloseOptions.ts"
import { planFacts } from "../../../src/client/PlanFacts.ts"
import { expectation, wholeOf } from "../../../src/client/Verification.ts"

/** What the client's verifier gets for an agreement, of an account on testnet that holds no more than this since the close began. */
export const expectedOf = (agreement: Agreement, { balances, held }: Pick<AccountView, "balances" | "held">) =>
  Effect.gen(function*() {
    const settings = yield* settingsOf({
      baseUrl: "http://127.0.0.1:1",
      apiKey: "none",
      network: "testnet",
      source: Keypair.random().publicKey(),
      destination: Keypair.random().publicKey(),
      sign: () => ""
    })
    const view: AccountView = { sequence: 1n, balanceStroops: 0n, balances, held, seen: [], dust: new Set(), claimed: [] }
    return expectation(settings, agreement, view, {
      now: 1,
      feeCap: 1n,
      had: new Set(),
      facts: planFacts({ decisionPoints: [] }),
      spent: new Map(),
      whole: wholeOf(view),
      left: new Set()
    })
  })
