import { assert, it } from "@effect/vitest"
import { type Keypair, scValToNative, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf, addressVal, contractAddress, field, i128, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { tokenAllowanceKey, tokenBalanceKey } from "../../../src/sandbox/contracts/Token.ts"
import { openZeppelinAllowanceKey, openZeppelinBalanceKey } from "../../../src/sandbox/contracts/tokens/OpenZeppelinToken.ts"
import type { TokenFamilyName } from "../../../src/sandbox/contracts/tokens/TokenFamily.ts"
import { readContract } from "../../../src/sandbox/scenarios/CallContract.ts"
import { FundedPair } from "../../../src/sandbox/scenarios/FundedPair.ts"
import { approveSpender, deployToken, mintToken, sendToken } from "../../../src/sandbox/scenarios/Tokens.ts"
import { startWithClients } from "../Clients.ts"

const spender = strkeyOf(contractAddress(new xdr.ContractId(new Uint8Array(32).fill(9))))

/** A token of a family with an account that received 1000, sent 400 and approved 250, all base units. */
const used = Effect.fnUntraced(function*(family: TokenFamilyName) {
  const { contractRpc, network, on } = yield* startWithClients()
  const { destination, source } = yield* on(FundedPair)
  const token = yield* on(deployToken({ family, symbol: "TOK", name: "A token", decimals: 5 }))
  yield* on(mintToken(token, source.publicKey(), 1_000n))
  yield* on(sendToken(token, source, destination.publicKey(), 400n))
  const liveUntil = (yield* network.snapshot).state.header.ledgerSeq + 500
  yield* on(approveSpender(token, { owner: source, spender, amount: 250n, liveUntil }))
  const first = (yield* network.snapshot).history.oldest.sequence
  const { events } = yield* Effect.promise(() =>
    contractRpc.getEvents({ startLedger: first, filters: [{ type: "contract", contractIds: [token] }] })
  )
  const answer = (fn: string, ...args: ReadonlyArray<xdr.ScVal>) =>
    Effect.map(on(readContract(addressOf(token), fn, args)), (value) => scValToNative(value))
  const stored = (key: xdr.ScVal, durability: "persistent" | "temporary") =>
    Effect.map(
      Effect.promise(() => contractRpc.getLedgerEntries(entryKey(token, key, durability))),
      ({ entries: [entry] }) => (entry?.val.type === "contractData" ? entry.val.contractData.val : null)
    )
  return {
    answer,
    stored,
    source,
    destination,
    liveUntil,
    shown: events.map(({ topic, value }) => [...topic.map(scValToNative), scValToNative(value)])
  }
})

const entryKey = (token: string, key: xdr.ScVal, durability: "persistent" | "temporary") =>
  xdr.LedgerKey.contractData(
    new xdr.LedgerKeyContractData({ contract: addressOf(token), key, durability: xdr.ContractDataDurability[durability] })
  )

const party = (keys: Keypair): xdr.ScVal => addressVal(addressOf(keys.publicKey()))

/** Checks that the getters of every family give the same answers. */
const assertAnswers = Effect.fnUntraced(function*({ answer, destination, source }: Effect.Effect.Success<ReturnType<typeof used>>) {
  assert.deepStrictEqual(
    yield* Effect.all([
      answer("balance", party(source)),
      answer("balance", party(destination)),
      answer("allowance", party(source), addressVal(addressOf(spender))),
      answer("decimals"),
      answer("symbol"),
      answer("name")
    ]),
    [600n, 400n, 250n, 5, "TOK", "A token"]
  )
})

it.scopedLive("a token of the soroban-examples family keeps allowances under from and spender, and tells of them in a list", () =>
  Effect.gen(function*() {
    const token = yield* used("example")
    yield* assertAnswers(token)
    const [from, to] = [token.source.publicKey(), token.destination.publicKey()]
    const owner = addressOf(from)
    assert.deepStrictEqual(yield* token.stored(tokenBalanceKey(owner), "persistent"), i128(600n))
    const allowance = yield* token.stored(tokenAllowanceKey(owner, addressOf(spender)), "temporary")
    assert.strictEqual(scValToNative(field(allowance ?? assert.fail("no allowance"), "expiration_ledger")), token.liveUntil)
    assert.deepStrictEqual(token.shown.slice(1), [["transfer", from, to, 400n], ["approve", from, spender, [250n, token.liveUntil]]])
  }))

it.scopedLive("a token of OpenZeppelin's library keeps them under owner and spender, and tells of them in a map", () =>
  Effect.gen(function*() {
    const token = yield* used("open_zeppelin")
    yield* assertAnswers(token)
    const [from, to] = [token.source.publicKey(), token.destination.publicKey()]
    const owner = addressOf(from)
    assert.deepStrictEqual(yield* token.stored(openZeppelinBalanceKey(owner), "persistent"), i128(600n))
    assert.isNull(yield* token.stored(tokenAllowanceKey(owner, addressOf(spender)), "temporary"))
    const allowance = yield* token.stored(openZeppelinAllowanceKey(owner, addressOf(spender)), "temporary")
    assert.deepStrictEqual(scValToNative(allowance ?? assert.fail("no allowance")), { amount: 250n, live_until_ledger: token.liveUntil })
    assert.deepStrictEqual(token.shown, [
      ["mint", from, { amount: 1_000n }],
      ["transfer", from, to, 400n],
      ["approve", from, spender, { amount: 250n, live_until_ledger: token.liveUntil }]
    ])
    assert.strictEqual(yield* token.answer("total_supply"), 1_000n)
  }))

it.scopedLive("a token that keeps books of its own has nothing where others keep balances and allowances", () =>
  Effect.gen(function*() {
    const token = yield* used("book")
    yield* assertAnswers(token)
    const [from, to] = [token.source.publicKey(), token.destination.publicKey()]
    const owner = addressOf(from)
    assert.isNull(yield* token.stored(tokenBalanceKey(owner), "persistent"))
    assert.isNull(yield* token.stored(tokenAllowanceKey(owner, addressOf(spender)), "temporary"))
    assert.isNull(yield* token.stored(openZeppelinAllowanceKey(owner, addressOf(spender)), "temporary"))
    assert.deepStrictEqual(token.shown.slice(1), [["transfer", from, to, 400n], ["approve", from, spender, [250n, token.liveUntil]]])
  }))
