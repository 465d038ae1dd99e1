import { assert, describe, it } from "@effect/vitest"
import { Keypair, StrKey, xdr } from "@stellar/stellar-sdk"
import { Effect, FastCheck, Option } from "effect"
import { createHash } from "node:crypto"
import { AccountAddress, ContractAddress } from "../../src/domain/Address.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"
import { addressOf, addressVal, asI128, field, i128, struct, variant } from "../../src/ledger/soroban/Values.ts"
import { contractEntries, dataEntries } from "../../src/sandbox/contracts/Deployment.ts"
import { bookTokenHash } from "../../src/sandbox/contracts/tokens/BookToken.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { storedToken, tokenKeys } from "../../src/tokens/StoredToken.ts"
import { Pair } from "../close/support/Accounts.ts"
import { Service } from "../close/support/Service.ts"
import { contractOfByte } from "../support/Addresses.ts"
import { layer } from "../support/Layered.ts"
import { anyI128, anyScVal } from "./support/AnyScVal.ts"
import { readTokens, tokensServed } from "./support/TokensServed.ts"

const holder = AccountAddress.make(Keypair.random().publicKey())

const anyStorage = FastCheck.array(FastCheck.tuple(anyScVal, anyScVal), { maxLength: 5 })

/** Values under a balance key, many of which look like one. */
const anyKept = FastCheck.oneof(
  anyScVal,
  anyI128.map(i128),
  FastCheck.tuple(anyI128, anyScVal).map(([amount, clawback]) => struct({ amount: i128(amount), clawback }))
)

/** The amount under a balance key: an amount or a map with one; else null. Computed without the decoder. */
const plainly = (value: xdr.ScVal): bigint | null => {
  const isMap = value.type === "scvMap" && (value.map ?? []).some(({ key }) => key.type === "scvSymbol" && key.sym.toString() === "amount")
  const amount = isMap ? field(value, "amount") : value
  return amount.type === "scvI128" && asI128(amount) >= 0n ? asI128(amount) : null
}

const live = (key: xdr.LedgerKey, val: xdr.ScVal) => {
  const { contractData } = key.type === "contractData" ? key : assert.fail("not contract data")
  const data = xdr.LedgerEntryData.contractData(
    new xdr.ContractDataEntry({ ...contractData, ext: xdr.ExtensionPoint.v0(), val })
  )
  return { key, latestLedger: 9, live: Option.some({ key, entry: newEntry(data), liveUntilLedger: 100, latestLedger: 9 }) }
}

describe("storage of any shape", () => {
  it("is read without a fault, and yields no amount but the one that stands there", () => {
    const shown = /^[\x21-\x7e][\x20-\x7e]{0,31}$/
    FastCheck.assert(
      FastCheck.property(anyStorage, anyKept, FastCheck.uint8Array({ minLength: 32, maxLength: 32 }), (storage, balance, hash) => {
        const token = ContractAddress.make(StrKey.encodeContract(Buffer.from(hash)))
        const [instance, kept] = tokenKeys(token, holder)
        const executable = xdr.ContractExecutable.contractExecutableWasm(Buffer.from(hash))
        const entries = storage.map(([key, val]) => new xdr.ScMapEntry({ key, val }))
        const value = xdr.ScVal.scvContractInstance(new xdr.ScContractInstance({ executable, storage: entries }))
        const read = storedToken(token, "a network", live(instance, value), live(kept, balance))
        if (read._tag !== "Token") assert.fail(read._tag)
        const amount = plainly(balance)
        assert.deepStrictEqual(read.balance, amount === null ? { _tag: "Odd" } : { _tag: "Amount", amount, modified: 0 })
        const { decimals = null, symbol = null } = read.names ?? {}
        assert.isTrue(symbol === null || shown.test(symbol), symbol ?? "")
        assert.isTrue(decimals === null || (decimals >= 0 && decimals <= 38))
      }),
      { numRuns: 1000 }
    )
  })
})

layer(tokensServed({ tokens: [contractOfByte(7)] }), { excludeTestServices: true })(
  "contracts with storage of any shape",
  (it) => {
    it.effect(
      "are each held, unreadable or nothing, as their entries say, and none spoils the read of another",
      () =>
        Effect.gen(function*() {
          const { on } = yield* Service
          const { source } = yield* on(Pair())
          const owner = addressOf(source.publicKey())
          const drawn = FastCheck.sample(FastCheck.tuple(anyStorage, anyKept), { numRuns: 60, seed: 4711 })
          const tokens = drawn.map((_, index) => StrKey.encodeContract(createHash("sha256").update(`random ${index}`).digest()))
          yield* on(Effect.flatMap(Network, ({ amend }) =>
            amend((state) =>
              drawn.reduce((before, [storage, balance], index) => {
                const at = addressOf(tokens[index] ?? "")
                const until = state.header.ledgerSeq + 10_000
                const distinct = [...new Map(storage.map((pair) => [pair[0].toXdr("base64"), pair])).values()]
                return before.set([
                  ...contractEntries(at, bookTokenHash, distinct, until),
                  ...dataEntries(at, [variant("Balance", addressVal(owner)), balance], "persistent", until)
                ])
              }, state)
            )))
          let held = 0
          for (let from = 0; from < tokens.length; from += 20) {
            const asked = tokens.slice(from, from + 20)
            const read = yield* readTokens(source.publicKey(), asked)
            const rows = new Map(read.tokens.map(({ balance, contract }) => [`${contract}`, balance]))
            for (const [index, token] of asked.entries()) {
              const amount = plainly(drawn[from + index]?.[1] ?? xdr.ScVal.scvVoid())
              held += amount !== null && amount > 0n ? 1 : 0
              assert.strictEqual(rows.get(token) ?? null, amount === null || amount === 0n ? null : amount.toString())
              assert.isFalse(read.unreadable.includes(token), "it says that nothing is held where no entry does")
            }
          }
          assert.isAbove(held, 10)
        }),
      30_000
    )
  }
)
