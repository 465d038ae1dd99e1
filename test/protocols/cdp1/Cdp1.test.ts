import { assert, describe, it } from "@effect/vitest"
import { Keypair, StrKey, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { AccountAddress } from "../../../src/domain/Address.ts"
import * as Cdp1 from "../../../src/protocols/Cdp1.ts"
import { vaultDataKey, vaultIndexDataKey } from "../../../src/protocols/cdp1/VaultKey.ts"
import { ProtocolRegistry } from "../../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses, noContracts } from "../../../src/registry/ContractAddresses.ts"
import { contractDataKey, instanceKey } from "../../../src/stellar/ContractKeys.ts"
import { address as anAddress, i128, struct, symbol, tuple, u64, variant } from "../../../src/stellar/ScValCodec.ts"
import { keyText } from "../../../src/xdr/LedgerKeys.ts"
import { anyContract } from "../../support/Addresses.ts"
import { noEntries, sourcesOf } from "../support/Sources.ts"
import type { Say } from "../support/Sources.ts"
import { codeDeclaring, declarations } from "./DeclaredCode.ts"
import { at, contractNamed, having, leave, ledgerOf, read, recording, stateNamed, user, without } from "./RecordedVaults.ts"
import type { Ledger } from "./RecordedVaults.ts"

const vaults = contractNamed("vaults")

const open = ledgerOf(stateNamed("open"))

const otherHash = "ab".repeat(32)

const data = (contract: string, key: xdr.ScVal, val: xdr.ScVal, durability: "persistent" | "temporary" = "persistent") =>
  xdr.LedgerEntryData.contractData(
    new xdr.ContractDataEntry({
      ext: xdr.ExtensionPoint.fromXdr("AAAAAA==", "base64"),
      contract: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(StrKey.decodeContract(contract))),
      key,
      durability: xdr.ContractDataDurability[durability],
      val
    })
  )

const valueIn = (ledger: Ledger, key: xdr.LedgerKey): xdr.ScVal => {
  const entry = ledger.get(keyText(key))?.data
  return entry?.type === "contractData" ? entry.contractData.val : assert.fail("no such entry")
}

const instanceOf = (ledger: Ledger): xdr.ScContractInstance => {
  const value = valueIn(ledger, instanceKey(vaults))
  return value.type === "scvContractInstance" ? value.instance : assert.fail("no instance")
}

const instance = (contract: string, hash: string, storage: Array<xdr.ScMapEntry> | null) =>
  data(
    contract,
    xdr.ScVal.scvLedgerKeyContractInstance(),
    xdr.ScVal.scvContractInstance(
      new xdr.ScContractInstance({ executable: xdr.ContractExecutable.contractExecutableWasm(Buffer.from(hash, "hex")), storage })
    )
  )

/** The vaults contract with other code of this declaration. */
const running = (declaration: ReadonlyArray<xdr.ScSpecEntry>, ledger = open): Ledger =>
  having(ledger, instance(vaults, otherHash, instanceOf(ledger).storage), codeDeclaring(otherHash, declaration))

/** The vaults contract with other code without a declaration. */
const undeclared: Ledger = having(open, instance(vaults, otherHash, instanceOf(open).storage))

/** The map of a struct with one field changed. */
const changed = (value: xdr.ScVal, name: string, to: xdr.ScVal): xdr.ScVal =>
  value.type === "scvMap"
    ? xdr.ScVal.scvMap((value.map ?? []).map(({ key, val }) =>
      new xdr.ScMapEntry({ key, val: key.type === "scvSymbol" && String(key.sym) === name ? to : val })
    ))
    : assert.fail("no struct")

const u128 = (value: bigint) => xdr.ScVal.scvU128(new xdr.Uint128Parts({ hi: 0n, lo: value }))

const vaultOf = (denomination: string) => contractDataKey(vaults, vaultDataKey(user, denomination))

const indexOf = (denomination: string) => contractDataKey(vaults, vaultIndexDataKey(user, denomination))

const reasonOf = ({ exit }: Pick<Effect.Effect.Success<ReturnType<typeof leave>>, "exit">): string =>
  exit._tag === "Refused" ? `${exit.refusal._tag}: ${"reason" in exit.refusal ? exit.refusal.reason : ""}` : exit._tag

describe("the code of the vaults contract", () => {
  it.effect("is known by what it declares when its hash is not, and the call is held to the declaration", () =>
    Effect.gen(function*() {
      const known = yield* leave(open, "USD")
      const declared = yield* leave(running(declarations.vaults), "USD")
      assert(declared.exit._tag === "Calls" && known.exit._tag === "Calls")
      const [call] = known.exit.calls
      // The same call by the recorded code.
      assert.deepStrictEqual(declared.exit, { ...known.exit, calls: [{ ...call, code: otherHash }] })
      assert.notStrictEqual(call.code, otherHash)
      assert.strictEqual((yield* read(running(declarations.vaults))).positions[0]?.rows[0]?.wasmHash, otherHash)
      assert.match(
        reasonOf(yield* leave(running(declarations.signedAmounts), "USD")),
        /argument amount of pay_debt is not of its declared type/
      )
    }))

  it.effect("unknown: nothing is decoded and nothing built, and it is said even where nothing is held", () =>
    Effect.gen(function*() {
      for (const ledger of [running(declarations.stranger), running(declarations.fiveArguments), undeclared]) {
        for (const owner of [user, AccountAddress.make(Keypair.random().publicKey())]) {
          const { positions, unrecognized } = yield* read(ledger, {}, owner)
          assert.deepStrictEqual(positions, [])
          assert.deepStrictEqual(unrecognized.map(({ contract, protocol }) => [protocol, contract]), [["cdp_1", vaults]])
        }
        assert.deepStrictEqual((yield* leave(ledger, "USD")).exit, {
          _tag: "Refused",
          refusal: { _tag: "UnknownCode", contract: vaults, wasmHash: otherHash }
        })
      }
    }))

  it.effect("wound down, by hash or declaration: the vault is shown, and has honestly no way out", () =>
    Effect.gen(function*() {
      const byHash = { code: new Map([[otherHash, "woundDown" as const]]) }
      for (const [ledger, settings] of [[running(declarations.woundDown), {}], [undeclared, byHash]] as const) {
        const { positions, unrecognized } = yield* read(ledger, settings)
        assert.deepStrictEqual(unrecognized, [])
        assert.deepStrictEqual(positions.map(({ key, owes, pays }) => ({ key, owes, pays })), [{ key: "USD", owes: [], pays: [] }, {
          key: "EUR",
          owes: [],
          pays: []
        }])
        assert.match(positions[0]?.rows[0]?.display?.detail ?? "", /Owes 120.0000000 USDx. The protocol was wound down/)
        assert.match(reasonOf(yield* leave(ledger, "USD", settings)), /^Unavailable: The protocol was wound down/)
      }
    }))

  it.effect("a contract that is not there holds nothing, unless entries say otherwise", () =>
    Effect.gen(function*() {
      const gone = (ledger: Ledger) => without(ledger, instanceKey(vaults))
      const none = yield* read(gone(ledgerOf(stateNamed("none"))))
      assert.deepStrictEqual([none.positions, none.unrecognized], [[], []])
      const held = yield* read(gone(open))
      assert.deepStrictEqual([held.positions, held.unrecognized.length], [[], 1])
    }))
})

describe("vaults that are not as the contract writes them", () => {
  it.effect("an entry that does not decode is not recognised, and never left", () =>
    Effect.gen(function*() {
      const value = valueIn(open, vaultOf("USD"))
      const wrong = [
        xdr.ScVal.scvVoid(),
        changed(value, "total_debt", xdr.ScVal.scvU64(1n)),
        changed(value, "denomination", xdr.ScVal.scvSymbol("EUR")),
        changed(
          value,
          "account",
          xdr.ScVal.scvAddress(xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.publicKeyTypeEd25519(Keypair.random().rawPublicKey())))
        ),
        changed(value, "next_key", xdr.ScVal.scvVec([xdr.ScVal.scvSymbol("Some")]))
      ]
      for (const val of wrong) {
        const ledger = having(open, data(vaults, vaultDataKey(user, "USD"), val))
        const { positions, unrecognized } = yield* read(ledger)
        assert.deepStrictEqual(positions.map(({ key }) => key), ["EUR"])
        assert.deepStrictEqual(unrecognized.map(({ rawType }) => rawType), ["vault USD"])
        assert.match(reasonOf(yield* leave(ledger, "USD")), /^Undecodable/)
        assert.strictEqual((yield* leave(ledger, "EUR")).exit._tag, "Calls")
      }
    }))

  it.effect("an index without its vault is not recognised; a vault without its index is shown and cannot be found by the contract", () =>
    Effect.gen(function*() {
      const orphan = yield* read(without(open, vaultOf("USD")))
      assert.deepStrictEqual(orphan.unrecognized.map(({ rawType }) => rawType), ["vault USD"])
      for (const ledger of [without(open, indexOf("USD")), having(open, data(vaults, vaultIndexDataKey(user, "USD"), u128(1n)))]) {
        assert.deepStrictEqual((yield* read(ledger)).positions.map(({ key }) => key), ["USD", "EUR"])
        assert.match(reasonOf(yield* leave(ledger, "USD")), /^Unavailable: The vault's index/)
      }
    }))

  it.effect("an archived vault is as good as a live one", () =>
    Effect.gen(function*() {
      const archived: Ledger = new Map(
        [...open].map(([key, entry]) => [key, entry.liveUntil === null ? entry : { ...entry, liveUntil: 0 }])
      )
      assert.deepStrictEqual((yield* read(archived)).positions, (yield* read(open)).positions)
      assert.deepStrictEqual((yield* leave(archived, "USD")).exit, (yield* leave(open, "USD")).exit)
    }))

  it.effect("a vault in a denomination that only the contract knows is found, a trip later", () =>
    Effect.gen(function*() {
      const denomination = "CHF"
      const swapped = (value: xdr.ScVal) => changed(value, "denomination", xdr.ScVal.scvSymbol(denomination))
      const stored = instanceOf(open).storage ?? []
      const usd = keyText(contractDataKey(vaults, variant("Currency", xdr.ScVal.scvSymbol("USD"))))
      const currency = stored.find(({ key }) => keyText(contractDataKey(vaults, key)) === usd) ?? assert.fail("no currency")
      const ledger = having(
        without(open, vaultOf("USD"), indexOf("USD"), vaultOf("EUR"), indexOf("EUR")),
        instance(vaults, recording.contracts["vaults"]?.wasmHash ?? "", [
          ...stored,
          new xdr.ScMapEntry({ key: variant("Currency", xdr.ScVal.scvSymbol(denomination)), val: swapped(currency.val) })
        ]),
        data(vaults, vaultDataKey(user, denomination), swapped(valueIn(open, vaultOf("USD")))),
        data(vaults, vaultIndexDataKey(user, denomination), valueIn(open, indexOf("USD")))
      )
      const { positions, trips, unrecognized } = yield* read(ledger)
      assert.deepStrictEqual([positions.map(({ key }) => key), unrecognized], [[denomination], []])
      // The owed token is the one that the contract says it lends: no asset of that name was ever issued.
      assert.deepStrictEqual(positions[0]?.owes.map(({ token }) => token), [contractNamed("usdx")])
      assert.strictEqual(trips.length, 3)
    }))

  it.effect("a deposit in the locking pool blocks", () =>
    Effect.gen(function*() {
      const pool = anyContract()
      const key = variant("Deposit", tuple(anAddress, anAddress).encode([contractNamed("eurx"), user]))
      const settings = { lockingPools: [pool] }
      assert.deepStrictEqual((yield* read(open, settings)).unrecognized, [])
      const { positions, unrecognized } = yield* read(having(open, data(pool, key, xdr.ScVal.scvVoid())), settings)
      assert.strictEqual(positions.length, 2)
      assert.deepStrictEqual(unrecognized.map(({ contract, rawType }) => [contract, rawType]), [[pool, "locked deposit"]])
    }))

  it.effect("a locking pool blocks where nothing tells which assets to look for in it", () =>
    Effect.gen(function*() {
      const settings = { lockingPools: [anyContract()] }
      const storage = instanceOf(open).storage ?? []
      const isOf = (name: string) => ({ key }: xdr.ScMapEntry) =>
        key.type === "scvVec" && key.vec?.[0]?.type === "scvSymbol" && String(key.vec[0].sym) === name
      const hash = recording.contracts["vaults"]?.wasmHash ?? ""
      const ledgers = ["CoreState", "Currency"].flatMap((name) => [
        having(open, instance(vaults, hash, storage.filter((one) => !isOf(name)(one)))),
        having(
          open,
          instance(
            vaults,
            hash,
            storage.map((one) => isOf(name)(one) ? new xdr.ScMapEntry({ key: one.key, val: xdr.ScVal.scvVoid() }) : one)
          )
        )
      ])
      const absent: Ledger = new Map()
      for (const ledger of [...ledgers, absent]) {
        const { unrecognized } = yield* read(ledger, settings)
        assert.deepStrictEqual(unrecognized.map(({ contract, rawType }) => [contract, rawType]), [[
          settings.lockingPools[0],
          "locked deposit"
        ]])
      }
      const strange = yield* read(undeclared, settings)
      assert.include(strange.unrecognized.map(({ contract }) => contract), settings.lockingPools[0])
    }))
})

describe("leaving", () => {
  it.effect("a list that does not lead to the vault is said, and nothing is built", () =>
    Effect.gen(function*() {
      const low = recording.accounts["lowVaultOwner"] ?? assert.fail("no owner")
      const lowVault = contractDataKey(vaults, vaultDataKey(low, "USD"))
      assert.match(reasonOf(yield* leave(without(open, lowVault), "USD")), /missing link after 1/)
      const cut = having(open, data(vaults, vaultDataKey(low, "USD"), changed(valueIn(open, lowVault), "next_key", variant("None"))))
      assert.match(reasonOf(yield* leave(cut, "USD")), /tail reached after 1/)
      assert.strictEqual((yield* leave(cut, "EUR")).exit._tag, "Calls")
    }))

  it.effect("only contracts of the protocol are called", () =>
    Effect.gen(function*() {
      assert.match(reasonOf(yield* leave(open, "USD", { vaults: [anyContract()] })), /no contract of the protocol knows/)
    }))

  /** The recorded oracle's answer about the dollar, as the vaults contract requests it. */
  const saying = (answer: xdr.ScVal): Say => (getter) => {
    if (getter.function === "get_vaults") return null
    assert.strictEqual(getter.contract, contractNamed("oracle"))
    assert.strictEqual(getter.function, "lastprice")
    assert.deepStrictEqual(getter.args, [anAddress.encode(vaults), variant("Other", symbol.encode("USD"))])
    return answer
  }

  const priced = (price: bigint, timestamp: bigint) => saying(struct({ price: i128, timestamp: u64 }).encode({ price, timestamp }))

  const leaveAt = (say: Say | undefined) => Effect.map(leave(open, "USD", undefined, undefined, say), ({ exit }) => exit)

  // 35820000000 of collateral for 1200000000 of debt: 1.1 at a price of 368509.2, so that 368510 is just enough and 368509 is not.
  it.effect("a vault under its minimum ratio is left all the same, with a warning; the price decides nothing", () =>
    Effect.gen(function*() {
      const now = at.closeTime
      const riskAt = (say: Say | undefined) => Effect.map(leaveAt(say), (exit) => (exit._tag === "Calls" ? exit.risk ?? null : exit))
      const expected = yield* leaveAt(undefined)
      assert(expected._tag === "Calls" && expected.isTrade === true)
      for (const say of [priced(368_510n, now), priced(368_509n, now), priced(1n, now)]) {
        const exit = yield* leaveAt(say)
        assert.deepStrictEqual(exit._tag === "Calls" ? exit.calls : exit, expected.calls)
      }
      assert.match(
        String(yield* riskAt(priced(368_509n, now))),
        /^The vault's collateral is worth 1.0999993 of its debt, under the minimum of 1.1000000. Anyone may liquidate it at any time.$/
      )
      assert.match(String(yield* riskAt(priced(1n, now - 1200n))), /worth 0.0000029 of its debt/)
      for (const say of [priced(368_510n, now), priced(1n, now - 1201n), priced(0n, now), saying(xdr.ScVal.scvVoid()), undefined]) {
        assert.isNull(yield* riskAt(say))
      }
    }))

  it.effect("settings that do not decode are said", () =>
    Effect.gen(function*() {
      const broken = (name: string) =>
        having(
          open,
          instance(
            vaults,
            recording.contracts["vaults"]?.wasmHash ?? "",
            (instanceOf(open).storage ?? []).map(({ key, val }) =>
              new xdr.ScMapEntry({
                key,
                val: key.type === "scvVec" && key.vec?.[0]?.type === "scvSymbol" && String(key.vec[0].sym) === name
                  ? xdr.ScVal.scvVoid()
                  : val
              })
            )
          )
        )
      for (const name of ["CoreState", "Currency", "VaultsInfo"]) {
        assert.match(reasonOf(yield* leave(broken(name), "USD")), /^Undecodable/, name)
        assert.strictEqual((yield* read(broken(name))).positions.length, 2)
      }
    }))
})

describe("the protocol's layer", () => {
  it.effect("reads its addresses and code from the contracts file", () =>
    Effect.gen(function*() {
      const pool = anyContract()
      const contracts = ContractAddresses.layerValue({
        protocols: { ...noContracts, cdp_1: { vaults: [vaults], lockingPool: [pool] } },
        tokens: "none"
      })
      const { all, untracked } = yield* Effect.provide(
        ProtocolRegistry,
        ProtocolRegistry.layerFrom(Cdp1.layer).pipe(Layer.provide([contracts, sourcesOf(noEntries)]))
      )
      assert.deepStrictEqual(untracked, [])
      assert.deepStrictEqual(all.map(({ contracts, name }) => [name, contracts]), [["cdp_1", [vaults, pool]]])
    }))
})
