import { assert } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect, type Schema } from "effect"
import type { Acceptance } from "../../../src/domain/Acceptance.ts"
import type { TransactionsResult } from "../../../src/domain/CloseTransaction.ts"
import { type Asked, next, type PlanBody, submit } from "./Client.ts"
import { accountOf, lumensOf } from "./LedgerView.ts"
import type { Service } from "./Service.ts"
import { signed } from "./Signing.ts"

type Built = Schema.Schema.Encoded<typeof TransactionsResult>

/** The acceptance that a plan offers, from its fields. */
export const acceptOf = ({ estimate, suggestedDecisions }: PlanBody): Schema.Schema.Encoded<typeof Acceptance> => {
  const { had, ledger } = suggestedDecisions.find(({ id }) => id === "later")?.params ?? assert.fail("no later")
  return {
    minReceivedLumens: estimate.minReceivedLumens ?? assert.fail("nothing is promised"),
    ledger: ledger ?? assert.fail("no ledger"),
    had: had ?? assert.fail("nothing seen")
  }
}

const stroopsIn = (text: string): bigint => BigInt(text.replace(".", ""))

/** The end of an accepted close. */
export interface AcceptedEnd {
  readonly rounds: ReadonlyArray<Built>
  /** Stroops the destination received. */
  readonly received: bigint
}

const mostCalls = 40

/** Builds, signs and submits until the account is gone. `before` runs before each build, `after` between it and its submission. */
export const closeAccepted = <R = never>(
  { destination, request, source }: { readonly source: Keypair; readonly destination: Keypair; readonly request: Asked },
  { after = () => Effect.void, before = () => Effect.void }: {
    readonly before?: (turn: number) => Effect.Effect<void, never, R>
    readonly after?: (turn: number) => Effect.Effect<void, never, R>
  } = {}
): Effect.Effect<AcceptedEnd, never, R | Service> =>
  Effect.gen(function*() {
    const had = yield* lumensOf(destination)
    const rounds: Array<Built> = []
    while ((yield* accountOf(source)) !== null) {
      assert.isBelow(rounds.length, mostCalls)
      yield* before(rounds.length)
      const built = yield* next(request)
      const [transaction] = built.transactions
      yield* after(rounds.length)
      yield* submit(yield* signed(transaction ?? assert.fail("nothing is offered"), source))
      rounds.push(built)
    }
    return { rounds, received: (yield* lumensOf(destination)) - had }
  })

/** Checks that this many stroops reach the accepted minimum. */
export const assertKept = (received: bigint, { accept }: Asked, told: string): void =>
  assert.isTrue(received >= stroopsIn(accept?.minReceivedLumens ?? ""), `${received} of ${accept?.minReceivedLumens}: ${told}`)
