import { assert, describe, it } from "@effect/vitest"
import { type contract as sdk, Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer, Option } from "effect"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { NetworkSettings, sandboxAddress } from "../../src/chain/NetworkSettings.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { OutsideProtocol } from "../../src/domain/ProtocolName.ts"
import { callProblem, offers } from "../../src/protocols/CodeGate.ts"
import { ProtocolRegistry } from "../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses, noContracts, WasmHash } from "../../src/registry/ContractAddresses.ts"
import { codeKey, contractDataKey, instanceKey } from "../../src/stellar/ContractKeys.ts"
import { account, address, contract, i128, symbol, u128, variant } from "../../src/stellar/ScValCodec.ts"
import { keyText } from "../../src/xdr/LedgerKeys.ts"
import * as Jar from "../outside/package/Jar.ts"
import { anyContract } from "../support/Addresses.ts"
import { codeEntry, specOf } from "./support/Declared.ts"
import { terms } from "./support/Leaving.ts"
import { sourcesOf } from "./support/Sources.ts"
import { instanceVal, written } from "./support/Written.ts"

const user = AccountAddress.make(Keypair.random().publicKey())
const jar = anyContract()
const token = anyContract()
const wasmHash = WasmHash.make("ab".repeat(32))

const ledger = (spec: sdk.Spec, held: bigint | null) => {
  const instance = instanceVal(wasmHash, [[symbol.encode("Token"), contract.encode(token)]])
  const share = contractDataKey(jar, variant("Share", account.encode(user)))
  const all = new Map<string, xdr.LedgerEntryData>([
    [keyText(instanceKey(jar)), written(instanceKey(jar), instance)],
    [
      keyText(codeKey(wasmHash)),
      codeEntry(wasmHash, spec)
    ],
    ...(held === null ? [] : [[keyText(share), written(share, i128.encode(held))] as const])
  ])
  return LedgerEntries.of({
    one: () => Effect.dieMessage("not asked"),
    many: () => Effect.dieMessage("not asked"),
    anew: () => Effect.dieMessage("not asked"),
    answers: (keys) =>
      Effect.succeed(keys.map((key) => ({
        key,
        latestLedger: 10,
        live: Option.map(Option.fromNullable(all.get(keyText(key))), (entry) => ({
          key,
          entry: new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data: entry, ext: xdr.LedgerEntryExt.v0() }),
          liveUntilLedger: 100,
          latestLedger: 10
        }))
      })))
  })
}

const name = OutsideProtocol.make("acme_jar")
const contracts = ContractAddresses.layerValue({
  protocols: { ...noContracts, [name]: { jar: [jar] } },
  code: { [name]: { jar: [wasmHash] } },
  tokens: "none"
})
const network = Layer.succeed(
  NetworkSettings,
  sandboxAddress({ passphrase: "a network", rpcUrl: "http://127.0.0.1:1", ledgerApiUrl: "http://127.0.0.1:2" })
)

const registryOver = (entries: LedgerEntries["Type"]) =>
  Effect.provide(ProtocolRegistry, ProtocolRegistry.layerFrom(Jar.layer).pipe(Layer.provide([contracts, network, sourcesOf(entries)])))

const at = { sequence: 10, closeTime: 1_000n }
const addressType = xdr.ScSpecTypeDef.scSpecTypeAddress()
const i128Type = xdr.ScSpecTypeDef.scSpecTypeI128()
const asWritten = specOf({ withdraw: [addressType, i128Type] })

describe("adding a protocol", () => {
  it.effect("its layer is all there is to it", () =>
    Effect.gen(function*() {
      const { all, read, untracked } = yield* registryOver(ledger(asWritten, 700n))
      assert.deepStrictEqual(untracked, [])
      assert.deepStrictEqual(all.map(({ name }) => name), [name])
      const [reading] = yield* read(at, user)
      assert(reading?._tag === "Read")
      assert.deepStrictEqual(reading.positions.map(({ contract: held, key, pays }) => [held, key, pays]), [[jar, "share", [token]]])
      const [none] = yield* (yield* registryOver(ledger(asWritten, null))).read(at, user)
      assert(none?._tag === "Read")
      assert.isEmpty(none.positions)
      assert.isEmpty(none.unrecognized)
    }))

  it.effect("its exit is checked against what the contract's code declares", () =>
    Effect.gen(function*() {
      const context = { user, ...terms(at), spendable: () => 0n, withoutRewards: false }
      const position = { protocol: name, contract: jar, key: "share" } as const
      const leave = (entries: LedgerEntries["Type"]) => Effect.flatMap(registryOver(entries), ({ exit }) => exit(at, position, context))
      const good = yield* leave(ledger(asWritten, 700n))
      assert(good._tag === "Calls")
      assert.deepStrictEqual(
        good.calls[0].args.map((arg) => arg.toXdr("base64")),
        [address.encode(user), i128.encode(700n)].map((arg) => arg.toXdr("base64"))
      )
      const changed = [
        specOf({ withdraw: [addressType, xdr.ScSpecTypeDef.scSpecTypeU128()] }),
        specOf({ withdraw: [addressType, i128Type, addressType] }),
        specOf({ take_out: [addressType, i128Type] })
      ]
      for (const spec of changed) {
        const refused = yield* leave(ledger(spec, 700n))
        assert.strictEqual(refused._tag === "Refused" ? refused.refusal._tag : refused._tag, "Unavailable")
      }
      assert.strictEqual((yield* leave(ledger(asWritten, null)))._tag, "Gone")
    }))

  it("a call fits a declaration by function, count and width", () => {
    const withdraw = { function: "withdraw", args: [address.encode(user), i128.encode(1n)] }
    assert.isNull(callProblem(asWritten, withdraw))
    assert.isNotNull(callProblem(asWritten, { ...withdraw, args: [address.encode(user), u128.encode(1n)] }))
    assert.isNotNull(callProblem(asWritten, { ...withdraw, args: [address.encode(user)] }))
    assert.isNotNull(callProblem(asWritten, { ...withdraw, function: "withdraw_all" }))
    assert.isTrue(offers(asWritten, { withdraw: 2 }))
    assert.isFalse(offers(asWritten, { withdraw: 3 }))
  })
})
