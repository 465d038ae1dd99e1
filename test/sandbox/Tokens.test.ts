import { assert, it } from "@effect/vitest"
import { Asset, Keypair, type rpc, scValToNative, xdr } from "@stellar/stellar-sdk"
import { Effect, Schema } from "effect"
import { addressOf, addressVal } from "../../src/ledger/soroban/Values.ts"
import { readContract } from "../../src/sandbox/scenarios/CallContract.ts"
import { fund } from "../../src/sandbox/scenarios/Scenario.ts"
import { get, post, refused, startWithClients } from "./Clients.ts"

const Put = Schema.parseJson(Schema.Struct({ contract: Schema.String }))
const Happened = Schema.parseJson(Schema.Struct({ ledger: Schema.Number }))

/** A sandbox that is driven only over HTTP. */
const start = Effect.gen(function*() {
  const sandbox = yield* startWithClients({ retention: 1_000 })
  const [owner, other] = [Keypair.random(), Keypair.random()]
  yield* sandbox.on(fund("100", owner, other))
  const control = `${sandbox.ledgerApiUrl}/sandbox`
  const token = Effect.fnUntraced(function*(body: object = {}) {
    const { status, text } = yield* post(`${control}/tokens`, JSON.stringify(body))
    assert.strictEqual(status, 201, text)
    return Schema.decodeSync(Put)(text).contract
  })
  const event = (happening: object) => post(`${control}/events`, JSON.stringify({ event: happening }))
  const happen = Effect.fnUntraced(function*(happening: object) {
    const { status, text } = yield* event(happening)
    assert.strictEqual(status, 200, text)
    return Schema.decodeSync(Happened)(text).ledger
  })
  const turn = (contract: string, behaviours: ReadonlyArray<object>) =>
    Effect.promise(async () =>
      (await fetch(`${control}/tokens/${contract}/behaviours`, { method: "PUT", body: JSON.stringify({ behaviours }) })).status
    )
  const balance = (contract: string, holder: Keypair) =>
    Effect.map(
      sandbox.on(readContract(addressOf(contract), "balance", [addressVal(addressOf(holder.publicKey()))])),
      (value): unknown => scValToNative(value)
    )
  const pass = (ledgers: number) => post(`${control}/ledger`, JSON.stringify({ ledgers }))
  const events = (request: rpc.Api.GetEventsRequest) => Effect.promise(() => sandbox.contractRpc.getEvents(request))
  return {
    ...sandbox,
    owner: owner.publicKey(),
    other: other.publicKey(),
    holder: owner,
    token,
    event,
    happen,
    turn,
    balance,
    pass,
    events
  }
})

it.scopedLive("tokens are put on the network, given away, sent, approved and turned over HTTP", () =>
  Effect.gen(function*() {
    const { balance, event, happen, holder, other, owner, token, turn } = yield* start
    const contract = yield* token({ family: "open_zeppelin", symbol: "TOK", decimals: 6 })
    yield* happen({ _tag: "TokenMinted", token: contract, holder: owner, amount: "1000" })
    yield* happen({ _tag: "TokenSent", token: contract, from: owner, to: other, amount: "400" })
    yield* happen({ _tag: "SpenderApproved", token: contract, owner, spender: other, amount: "5", liveUntilLedger: 500 })
    assert.strictEqual(yield* balance(contract, holder), 600n)

    const refusal = yield* event({ _tag: "TokenSent", token: contract, from: owner, to: other, amount: "601" })
    assert.deepStrictEqual([refusal.status, /Error\(Contract, #100\)/.test(refusal.text)], [409, true])
    assert.strictEqual((yield* event({ _tag: "TokenMinted", token: "nothing", holder: owner, amount: "1" })).status, 400)

    const negative = xdr.ScVal.scvI128(new xdr.Int128Parts({ hi: -1n, lo: 2n ** 64n - 1n })).toXdr("base64")
    assert.strictEqual(yield* turn(contract, [{ _tag: "Answers", function: "balance", value: negative }]), 200)
    assert.strictEqual(yield* balance(contract, holder), -1n)
    assert.strictEqual(yield* turn(contract, []), 200)
    assert.strictEqual(yield* balance(contract, holder), 600n)
    assert.strictEqual(yield* turn(contract, [{ _tag: "Smiles" }]), 400)
    const nobody = "CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE"
    assert.strictEqual(yield* turn(nobody, []), 404)
  }))

it.scopedLive("events of transfers and approvals are served in all forms of filters, both ways and in pages", () =>
  Effect.gen(function*() {
    const { contractRpc, events, happen, network, other, owner, passphrase, rpcUrl, token } = yield* start
    const [plain, mapped] = [yield* token(), yield* token({ family: "open_zeppelin" })]
    for (const contract of [plain, mapped]) {
      yield* happen({ _tag: "TokenMinted", token: contract, holder: owner, amount: "1000" })
      yield* happen({ _tag: "TokenSent", token: contract, from: owner, to: other, amount: "400" })
      yield* happen({ _tag: "SpenderApproved", token: contract, owner, spender: other, amount: "5", liveUntilLedger: 500 })
    }
    const word = (text: string) => xdr.ScVal.scvSymbol(text).toXdr("base64")
    const party = (address: string) => addressVal(addressOf(address)).toXdr("base64")
    const last = (yield* network.snapshot).history.latest.sequence
    const found = (topics: Array<string>, contractIds: ReadonlyArray<string> = []) =>
      Effect.map(
        events({
          startLedger: 1,
          filters: [{ type: "contract", topics: [topics], ...(contractIds.length === 0 ? {} : { contractIds: [...contractIds] }) }]
        }),
        (answer) => answer.events.map(({ contractId, topic }) => `${String(contractId)} ${topic.length}`)
      )
    const tokens = (...contracts: ReadonlyArray<string>) => contracts.map((contract) => `${contract} 3`)
    assert.deepStrictEqual(yield* found([word("approve"), party(owner), "**"]), tokens(plain, mapped))
    assert.deepStrictEqual(yield* found([word("approve"), party(owner), "*"]), tokens(plain, mapped))
    assert.deepStrictEqual(yield* found([word("approve"), party(owner), "*", "*"]), [])
    assert.deepStrictEqual(yield* found([word("approve"), party(owner), "**"], [mapped]), tokens(mapped))
    const lumens = `${Asset.native().contractId(passphrase)} 4`
    assert.deepStrictEqual(yield* found([word("transfer"), "*", party(other), "**"]), [lumens, ...tokens(plain, mapped)])
    assert.deepStrictEqual(yield* found([word("transfer"), party(other), "**"]), [])

    const approvals = { type: "contract" as const, topics: [[word("approve"), party(owner), "**"]] }
    const ranged = yield* events({ startLedger: 1, endLedger: last, filters: [approvals] })
    assert.strictEqual(ranged.events.length, 1, "the last ledger is left out")
    const first = yield* events({ startLedger: 1, filters: [approvals], limit: 1 })
    const next = yield* events({ cursor: first.cursor, filters: [approvals], limit: 1 })
    assert.deepStrictEqual([...first.events, ...next.events].map(({ contractId }) => String(contractId)), [plain, mapped])

    yield* post(
      rpcUrl.replace("/rpc", "/sandbox/faults"),
      JSON.stringify({ fault: { _tag: "EventsTooHeavy", ledgers: 4 } })
    )
    const heavy = yield* refused(() => contractRpc.getEvents({ startLedger: 1, filters: [approvals] }))
    assert.strictEqual((heavy as { readonly code: number }).code, -32001)
    const narrow = (filters: ReadonlyArray<typeof approvals>) =>
      contractRpc.getEvents({ startLedger: last - 3, endLedger: last + 1, filters: [...filters] })
    assert.strictEqual((yield* Effect.promise(() => narrow([approvals]))).events.length, 2)
    assert.strictEqual(((yield* refused(() => narrow([approvals, approvals]))) as { readonly code: number }).code, -32001)
  }))

it.scopedLive("many ledgers pass at once, and what is older than what is retained is told of no more", () =>
  Effect.gen(function*() {
    const { balance, contractRpc, events, happen, holder, ledgerApiUrl, network, other, owner, pass, token } = yield* start
    const contract = yield* token()
    yield* happen({ _tag: "TokenMinted", token: contract, holder: owner, amount: "10" })
    const approvedAt = yield* happen({
      _tag: "SpenderApproved",
      token: contract,
      owner,
      spender: other,
      amount: "5",
      liveUntilLedger: 100_000
    })
    const before = (yield* network.snapshot).state.header
    const passed = yield* pass(900)
    assert.strictEqual(passed.status, 200)
    const { header } = (yield* network.snapshot).state
    assert.deepStrictEqual([header.ledgerSeq - before.ledgerSeq, header.closeTime - before.closeTime], [900, 4_500n])
    const sent = yield* happen({ _tag: "TokenSent", token: contract, from: owner, to: other, amount: "1" })
    const filters = [{ type: "contract" as const, contractIds: [contract] }]
    const all = yield* events({ startLedger: approvedAt, filters })
    assert.deepStrictEqual(all.events.map(({ ledger }) => ledger), [approvedAt, sent])

    yield* pass(500)
    const health = yield* Effect.promise(() => contractRpc.getHealth())
    assert.strictEqual(health.oldestLedger, health.latestLedger - 999)
    const told = yield* events({ startLedger: health.oldestLedger, filters })
    assert.deepStrictEqual(told.events.map(({ ledger }) => ledger), [sent])
    const early = yield* refused(() => contractRpc.getEvents({ startLedger: approvedAt, filters }))
    assert.strictEqual((early as { readonly code: number }).code, -32600)
    assert.strictEqual(yield* balance(contract, holder), 9n)
    assert.strictEqual((yield* get(`${ledgerApiUrl}/ledgers/${health.latestLedger}`)).status, 200)
    assert.strictEqual((yield* get(`${ledgerApiUrl}/ledgers/${health.latestLedger - 1}`)).status, 404)
  }))

it.scopedLive("a week of ledgers passes, and only those that closed are kept", () =>
  Effect.gen(function*() {
    const { contractRpc, network } = yield* startWithClients({ retention: 120_960 })
    yield* Effect.forEach(Array.from({ length: 70 }), () => network.closeLedger({ ledgers: 1_728 }))
    const { oldestLedger, latestLedger } = yield* Effect.promise(() => contractRpc.getHealth())
    assert.deepStrictEqual([oldestLedger, latestLedger], [2, 1 + 120_960])
    assert.strictEqual([...(yield* network.snapshot).history.from(1)].length, 70)
  }))
