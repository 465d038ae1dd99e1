import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import type { EntryAnswer } from "../../src/chain/EntryAnswer.ts"
import { newEntry } from "../../src/ledger/entries/LedgerEntry.ts"
import { balanceFromEntry } from "../../src/tokens/BalanceReading.ts"
import { keepsEntries } from "../../src/tokens/StandardCode.ts"
import { type StoredToken, storedToken, tokenKeys } from "../../src/tokens/StoredToken.ts"
import { amount, recorded } from "../protocols/support/Recorded.ts"

const passphrase = "Public Global Stellar Network ; September 2015"

const files = [
  "tokens",
  "amm_1",
  "amm_1_more",
  "amm_1_stable",
  "amm_2",
  "amm_2_more",
  "amm_3",
  "amm_3_more",
  "cdp_1",
  "lend_1",
  "lend_1_backstop"
] as const

type Recording = ReturnType<typeof recorded>

/** The decoded token in a recorded state, for the recorded user. */
const read = (recording: Recording, state: string, name: string): StoredToken => {
  const view = recording.view(state)
  const token = recording.contract(name)
  const answer = (key: xdr.LedgerKey): EntryAnswer => {
    const found = view.state(key)
    const entry = found._tag === "Present"
      ? Option.some({
        key,
        entry: newEntry(found.data),
        liveUntilLedger: null,
        latestLedger: view.sequence
      })
      : Option.none()
    return { key, live: entry, latestLedger: view.sequence }
  }
  const [instance, balance] = tokenKeys(token, recording.user)
  return storedToken(token, passphrase, answer(instance), answer(balance))
}

/** The result of a token's own getter, under any of its names in the recording. */
const factOf = (recording: Recording, state: string, ...names: ReadonlyArray<string>): unknown =>
  names.map((name) => recording.fact(state, name)).find((fact) => fact !== undefined)

describe("what recorded tokens tell", () => {
  const proven = new Set<string>()
  let compared = 0

  it.each(files)("of balances in %s is what their entries have", (file) => {
    const recording = recorded(file)
    const before = compared
    for (const state of Object.keys(recording.states)) {
      for (const [name, { asset }] of Object.entries(recording.contracts)) {
        const told = factOf(recording, state, `${name}.balance`, `${name}.balance(user)`, `${name}.userShares`, `user.${name}`)
        const token = read(recording, state, name)
        if (told === undefined || token._tag === "Nothing") continue
        compared++
        if (asset !== undefined) {
          assert.deepStrictEqual(token, { _tag: "Asset", asset }, `${state} ${name}`)
          continue
        }
        if (token._tag !== "Token") assert.fail(`${state} ${name} is no token`)
        assert.isTrue(keepsEntries(token.code), `${name} runs code of which nothing is known`)
        const balance = balanceFromEntry(token.balance)
        assert.deepInclude(balance, { _tag: "Amount", amount: amount(told) }, `${state} ${name}`)
        if (amount(told) > 0n && token.code !== null) proven.add(token.code)
      }
    }
    assert.isAbove(compared, before, "nothing was compared")
  })

  it("proves, by balances of more than nothing, what is claimed of code", () => {
    const claimed = [
      "bd9235029d8d9f74041175288d05dee60a2307eda6f895be59c995279848afef",
      "06672bb9c201ca4084c22396a6081ef026774432efba5038d0ae36703717a2e6",
      "255e57de9a1a43a672c9499354cd0bb7f99c29a407938ffa4117f443fcf90272",
      "c9fe635e9f7e12865a1e94632aab5e5f9a546e83ae3e01d28faecad23f684da3",
      "18051456816b66f12e773a56f77c5794fac1b1fb7ab6e22d4fad5a412770f73e",
      "8abc28913035c07411ed5d134e6bfeab4723d97ddd4d1a22a0605d35c94d1a36"
    ]
    assert.deepStrictEqual([...proven].toSorted(), claimed.toSorted())
    assert.isTrue(claimed.every(keepsEntries))
  })

  it("of their names is what their instances have", () => {
    const recording = recorded("tokens")
    for (const state of ["held", "approved", "movedOut"]) {
      for (const name of ["tokenA", "tokenB", "tokenC"]) {
        const token = read(recording, state, name)
        if (token._tag !== "Token") assert.fail(`${name} is no token`)
        assert.deepStrictEqual<unknown>(token.names, {
          decimals: recording.fact(state, `${name}.decimals`),
          symbol: recording.fact(state, `${name}.symbol`)
        })
      }
    }
  })
})
