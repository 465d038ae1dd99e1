import { assert } from "@effect/vitest"
import { Asset, Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, i128, u32 } from "../../../src/ledger/soroban/Values.ts"
import { accountVal, callContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { LendingNewcomer } from "../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { fund } from "../../../src/sandbox/scenarios/Scenario.ts"
import { laterLedger, lendingService } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { plan } from "../support/Client.ts"
import { Service } from "../support/Service.ts"

/** An account without any position, and another account that it may allow to take its lumens. */
const Owner = Effect.gen(function*() {
  const { on, sandbox } = yield* Service
  const held = yield* on(LendingNewcomer)
  const spender = Keypair.random()
  yield* on(fund("100", spender))
  const token = Asset.native().contractId(sandbox.passphrase)
  /** Approves an allowance of this many stroops for this many ledgers. */
  const approves = (by: Keypair, to: Keypair, stroops: bigint, ledgers: number) =>
    Effect.gen(function*() {
      const { state } = yield* sandbox.snapshot
      const until = state.header.ledgerSeq + ledgers
      yield* on(
        callContract("an approval", {
          as: by,
          contract: addressOf(token),
          fn: "approve",
          args: [accountVal(by), accountVal(to), i128(stroops), u32(until)]
        })
      )
      yield* laterLedger
    })
  const told = Effect.map(
    plan({ source: held.source.publicKey(), destination: held.destination.publicKey() }),
    ({ warnings }) => warnings.filter(({ code }) => code === "allowance_live").map(({ message, subject }) => ({ message, subject }))
  )
  return { ...held, spender, token, approves, told }
})

layer(lendingService, { excludeTestServices: true })("an allowance that an account without positions gave", (it) => {
  it.effect("is named by what the account's own history writes, until it is taken back", () =>
    Effect.gen(function*() {
      const { approves, source, spender, told, token } = yield* Owner
      assert.isEmpty(yield* told)
      yield* approves(source, spender, 7n, 10_000)
      const [first, ...others] = yield* told
      assert.isEmpty(others)
      assert.strictEqual(first?.subject, `allowance:${token}:${spender.publicKey()}`)
      assert.match(first?.message ?? "", /may take 7 base units .* works again if the account is ever created again/)
      yield* approves(source, spender, 0n, 10_000)
      assert.isEmpty(yield* told)
    }))

  it.effect("is not named when its time is over, or when somebody else gave it", () =>
    Effect.gen(function*() {
      const { approves, source, spender, told } = yield* Owner
      yield* approves(spender, source, 7n, 10_000)
      yield* approves(source, spender, 7n, 1)
      const { sandbox } = yield* Service
      yield* Effect.forEach(Array.from({ length: 20 }), () => sandbox.closeLedger())
      assert.isEmpty(yield* told)
    }))
})
