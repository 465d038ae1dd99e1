import { assert, it } from "@effect/vitest"
import type { Asset } from "@stellar/stellar-sdk"
import { Effect, type Schema } from "effect"
import type { ConversionPath } from "../../src/domain/ConversionPath.ts"
import { strkeyOf } from "../../src/ledger/soroban/Values.ts"
import { GarbageBody } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { swapInPair } from "../../src/sandbox/scenarios/PairsMarket.ts"
import { PairsNewcomer } from "../../src/sandbox/scenarios/PairsNewcomer.ts"
import { serviceOver } from "../sandbox/contracts/ProtocolsServed.ts"
import type { ErrorBody } from "../support/TestService.ts"
import { Service } from "./support/Service.ts"

interface Found {
  readonly path: Schema.Schema.Encoded<typeof ConversionPath> | null
}

const query = (fields: Readonly<Record<string, string>>) => `/testnet/paths?${new URLSearchParams(fields)}`

const found = (fields: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flatMap(Service, ({ call }) => call<Found>("GET", query(fields))), ({ body, status }) => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body.path
  })

const refused = (fields: Readonly<Record<string, string>>) =>
  Effect.map(Effect.flatMap(Service, ({ call }) => call<ErrorBody>("GET", query(fields))), ({ body, status }) => [status, body.error.code])

const idOf = (asset: Asset) => `${asset.getCode()}:${asset.getIssuer()}`

it.scopedLive("the better of path payments and pools of contracts is told, with where it leads and the ledger it is of", () =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const { native, provider, tokens, usdc } = yield* on(PairsNewcomer)
    const plain = strkeyOf(tokens.plain)
    const { header: { ledgerSeq: ledger } } = (yield* on(Effect.flatMap(Network, ({ snapshot }) => snapshot))).state

    const ofToken = yield* found({ fromAsset: plain, amount: "1000003", maxSlippageBps: "100" })
    assert.deepStrictEqual([ofToken?.fromAsset, ofToken?.toAsset, ofToken?.path, ofToken?.source, ofToken?.ledger], [
      plain,
      "native",
      [idOf(usdc)],
      "amm_2",
      ledger
    ])
    const [estimate, floor] = [ofToken?.estimatedReceive ?? "0", ofToken?.destMin ?? "0"].map((text) => BigInt(text.replace(".", "")))
    assert.strictEqual(floor, ((estimate ?? 0n) * 99n) / 100n)

    const booked = yield* found({ fromAsset: idOf(usdc), amount: "1" })
    assert.deepStrictEqual([booked?.source, booked?.estimatedReceive], ["book", "10.0000000"])
    const contractBooked = yield* found({ fromAsset: strkeyOf(tokens.usdc), amount: "10000000" })
    assert.deepStrictEqual([contractBooked?.source, contractBooked?.estimatedReceive], ["book", "10.0000000"])
    yield* on(swapInPair("lumens fall against USDC", provider, { token: tokens.lumens, amount: 500_000_000_000n }, tokens.usdc))
    const better = yield* found({ fromAsset: idOf(usdc), amount: "1" })
    assert.deepStrictEqual([better?.source, better?.path], ["amm_2", []])
    assert.isAbove(Number(better?.estimatedReceive), 10)

    // By its contract, in base units.
    const byContract = yield* found({ fromAsset: strkeyOf(tokens.usdc), amount: "10000000" })
    assert.deepStrictEqual(byContract, better && { ...better, fromAsset: strkeyOf(tokens.usdc) })
    assert.isNull(yield* found({ fromAsset: native.contractId((yield* Service).passphrase), amount: "1" }))
    assert.deepStrictEqual(yield* refused({ fromAsset: plain, amount: "1.5" }), [400, "invalid_amount"])
    assert.deepStrictEqual(yield* refused({ fromAsset: plain, amount: (1n << 127n).toString() }), [400, "invalid_amount"])
    assert.deepStrictEqual(yield* refused({ fromAsset: `${plain.slice(0, -1)}A`, amount: "1" }), [400, "invalid_asset"])
  }).pipe(Effect.provide(serviceOver(["amm_2"]))))

it.scopedLive("a source that gives no answer is an error, whichever of them it is", () =>
  Effect.gen(function*() {
    const { on, sandbox } = yield* Service
    const { eurc, tokens } = yield* on(PairsNewcomer)
    const asked = (rule: Parameters<typeof sandbox.faults.set>[0], fromAsset: string) =>
      Effect.zipRight(sandbox.faults.set(rule), Effect.ensuring(refused({ fromAsset, amount: "1000" }), sandbox.faults.clear()))
    const [noApi, noRpc] = [
      { fault: new GarbageBody({}), rest: "/paths/strict-send" },
      { fault: new GarbageBody({}), rpc: "getLedgerEntries" }
    ] as const
    assert.deepStrictEqual(yield* asked(noApi, idOf(eurc)), [502, "upstream_unusable"])
    assert.deepStrictEqual(yield* asked(noRpc, idOf(eurc)), [502, "upstream_unusable"])
    assert.deepStrictEqual(yield* asked(noRpc, strkeyOf(tokens.plain)), [502, "upstream_unusable"])
  }).pipe(Effect.provide(serviceOver(["amm_2"]))))
