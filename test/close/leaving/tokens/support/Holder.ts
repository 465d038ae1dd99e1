import { assert } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, asI128 } from "../../../../../src/ledger/soroban/Values.ts"
import { tokenBalanceKey } from "../../../../../src/sandbox/contracts/Token.ts"
import type { Behaviour } from "../../../../../src/sandbox/contracts/tokens/Behaviour.ts"
import type { NewToken } from "../../../../../src/sandbox/contracts/tokens/NewToken.ts"
import { fund } from "../../../../../src/sandbox/scenarios/Scenario.ts"
import { deployToken, mintToken, sendToken, turnToken } from "../../../../../src/sandbox/scenarios/Tokens.ts"
import { laterLedger } from "../../../../sandbox/contracts/ProtocolsServed.ts"
import { Pair } from "../../../support/Accounts.ts"
import { type Answer, type Asked, next, type NextBody, plan, submit } from "../../../support/Client.ts"
import { accountOf } from "../../../support/LedgerView.ts"
import { Service } from "../../../support/Service.ts"
import { signed } from "../../../support/Signing.ts"

/** An account with lumens only, its destination, and the request for its close. */
export const holder = Effect.gen(function*() {
  const { on } = yield* Service
  const { destination, source } = yield* on(Pair())
  return { source, destination, request: { source: source.publicKey(), destination: destination.publicKey() } }
})

/** Deploys a token, and has a stranger send this many base units of it to an account. */
export const gift = (to: Keypair, amount: bigint, token: NewToken = {}) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const giver = Keypair.random()
    yield* on(fund("100", giver))
    const contract = yield* on(deployToken(token))
    yield* on(mintToken(contract, giver.publicKey(), amount * 2n))
    yield* on(sendToken(contract, giver, to.publicKey(), amount))
    yield* laterLedger
    return { token: contract, giver }
  })

/** From now on the token behaves like this. */
export const turns = (token: string, ...behaviours: ReadonlyArray<Behaviour>) =>
  Effect.flatMap(Service, ({ on }) => Effect.zipRight(on(turnToken(token, behaviours)), laterLedger))

export const balanceEntry = (token: string, who: string): xdr.LedgerKey =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({
      contract: addressOf(token),
      key: tokenBalanceKey(addressOf(who)),
      durability: xdr.ContractDataDurability.persistent
    })
  )

/** An account's or contract's base units of a token that keeps each balance in an entry of its own; none without an entry. */
export const unitsOf = (token: string, who: string): Effect.Effect<bigint, never, Service> =>
  Effect.flatMap(Service, ({ sandbox }) =>
    Effect.map(sandbox.snapshot, ({ state }) => {
      const data = state.get(balanceEntry(token, who))?.data
      return data?.type === "contractData" ? asI128(data.contractData.val) : 0n
    }))

/** The same of an account. */
export const held = (token: string, who: Keypair): Effect.Effect<bigint, never, Service> => unitsOf(token, who.publicKey())

/** The next transaction, signed and applied, and a ledger after it. */
export const step = (request: Asked, source: Keypair): Effect.Effect<NextBody, never, Service> =>
  Effect.gen(function*() {
    const answer = yield* next(request)
    const [transaction] = answer.transactions
    if (transaction === undefined) return assert.fail("nothing was offered")
    const { status } = yield* submit(yield* signed(transaction, source))
    assert.strictEqual(status, "success")
    yield* laterLedger
    return answer
  })

const mostCalls = 30

/** Closes an account with the same answers in every round, each round on a ledger of its own. Returns the kinds of each transaction. */
export const closed = (request: Asked & { readonly decisions: ReadonlyArray<Answer> }, source: Keypair) =>
  Effect.gen(function*() {
    const ready = yield* plan(request)
    assert.strictEqual(ready.status, "ready", JSON.stringify({ blockers: ready.blockers, points: ready.decisionPoints }))
    const covered: Array<string> = []
    while ((yield* accountOf(source)) !== null) {
      const { transactions: [transaction] } = yield* step(request, source)
      covered.push(transaction?.covers.join("+") ?? "")
      assert.isBelow(covered.length, mostCalls)
    }
    return { covered, plan: ready }
  })
