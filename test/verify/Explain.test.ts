import { assert, describe, it } from "@effect/vitest"
import { Asset, Networks, xdr } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import { AccountAddress } from "../../src/domain/Address.ts"
import { ShownOperation } from "../../src/domain/Intent.ts"
import { operationSentence } from "../../src/verify/OperationSentence.ts"
import { explain } from "../../src/verify/Verifier.ts"
import { type Attempt, changed, txOf } from "./support/Case.ts"
import { readCorpus } from "./support/Corpus.ts"
import { mutations } from "./support/Mutations.ts"
import { muxed, strangeContract, stranger } from "./support/Strangers.ts"

const corpus = readCorpus()

const caseOf = (name: string) => corpus.find((one) => one.name === name) ?? assert.fail(`the corpus has no ${name}`)

const said = ({ envelope, expected }: (typeof corpus)[number], names: Readonly<Record<string, string>> = {}): string =>
  explain(envelope, expected.networkPassphrase, names).join("\n")

describe("what a transaction does, in sentences", () => {
  it("has a sentence for every operation of every transaction of the test run, and sees no danger in any", () => {
    for (const one of corpus) {
      assert.notInclude(said(one), "DANGER", one.name)
      assert.notInclude(said(one), "undefined", one.name)
      assert.match(said(one), /\n1\. [A-Z].+\.$/m, one.name)
    }
  })

  it("calls addresses by the names that the caller gives them", () => {
    const one = caseOf("account_merge")
    assert.include(said(one, { [one.expected.destination]: "my savings" }), "Merges the account into my savings")
  })

  it("warns of what a close never does, and of what is no transaction", () => {
    const one = caseOf("account_merge")
    const signer = mutations.find(({ name }) => name === "adds a signer")?.of(one, ([first]) => first!)
    assert.include(said({ ...one, envelope: signer?.envelope ?? "" }), "DANGER: does something that a close never does (setOptions)")
    assert.include(said({ ...one, envelope: "AAAA" }), "DANGER: The text is no transaction")
  })

  it("says whose it is, what it costs, until when it can be used, and its memo", () => {
    const one = caseOf("account_merge")
    const { memo: found, ...tx } = txOf(one)
    const lines = (fields: Parameters<typeof changed>[1]): ReadonlyArray<string> =>
      explain(changed(one, { memo: xdr.Memo.memoText("a \"b\""), ...fields })?.envelope ?? "", Networks.PUBLIC, {
        [one.expected.source]: "me"
      })
    const [whose, cost, memo, merge, ...others] = lines({ fee: 1_234 })
    assert.match(whose ?? "", /^A transaction of me for "Public Global Stellar Network ; September 2015": [0-9a-f]{64}\.$/)
    assert.match(cost ?? "", /^It costs at most 0\.0001234 lumens, and can be used until 2026-11-\d\dT\d\d:\d\d:\d\d\.000Z\.$/)
    assert.strictEqual(memo, "Its memo is the text \"a \\\"b\\\"\".")
    const hidden = lines({ memo: xdr.Memo.memoText("47\u200b11\u202a") })[2]
    assert.strictEqual(hidden, "Its memo is the text \"47\\u200b11\\u202a\".")
    assert.match(merge ?? "", /^1\. Merges the account into G/)
    assert.deepStrictEqual(others, [])
    const ending = (cond: xdr.Preconditions) => lines({ cond })[1]?.split("can be used ")[1]
    const before = (maxTime: bigint) => xdr.Preconditions.precondTime(new xdr.TimeBounds({ minTime: 0n, maxTime }))
    assert.strictEqual(ending(xdr.Preconditions.precondNone()), "without an end.")
    assert.strictEqual(ending(before(0n)), "without an end.")
    assert.strictEqual(ending(before(1n)), "until 1970-01-01T00:00:01.000Z.")
    assert.strictEqual(ending(before(8_640_000_000_000n)), "until +275760-09-13T00:00:00.000Z.")
    assert.strictEqual(ending(before(8_640_000_000_001n)), "without an end.")
    assert.isTrue(tx.cond.type === "precondV2")
    if (tx.cond.type !== "precondV2") return
    const endless = new xdr.PreconditionsV2({ ...tx.cond.v2, timeBounds: null })
    assert.strictEqual(ending(xdr.Preconditions.precondV2(endless)), "without an end.")
    assert.strictEqual(lines({ memo: found }).length, one.expected.memo === null ? 3 : 4)
  })

  it("warns of a transaction of a multiplexed account", () => {
    const one = caseOf("account_merge")
    const envelope = changed(one, { sourceAccount: muxed(txOf(one).sourceAccount) })?.envelope ?? ""
    assert.deepStrictEqual(explain(envelope, Networks.PUBLIC), [
      "DANGER: the transaction is that of a multiplexed account, which a close never has."
    ])
  })

  it("takes no name of an address from what every object has", () => {
    assert.include(said(caseOf("account_merge"), Object.create({ [caseOf("account_merge").expected.destination]: "a friend" })), "into G")
  })

  it("numbers operations, and goes on behind one that a close never has", () => {
    const one = caseOf("account_merge")
    const bump = new xdr.Operation({
      sourceAccount: null,
      body: xdr.OperationBody.bumpSequence(new xdr.BumpSequenceOp({ bumpTo: 1n }))
    })
    const both: Attempt | null = changed(one, { operations: [bump, ...txOf(one).operations] })
    const sentences = said({ ...one, ...both }).split("\n").slice(-2)
    assert.strictEqual(sentences[0], "1. DANGER: does something that a close never does (bumpSequence).")
    assert.match(sentences[1] ?? "", /^2\. Merges/)
  })

  const friend = "GDKCBXKQVYDNEH6RHND4BQNFWATBM4ERIZH2TWBFCW2DLW2LMA6JRPGX"
  const asset = new Asset("EVIL", stranger).toString()
  const pool = `${"ab".repeat(32)}`
  const inner = { contract: strangeContract, function: "burn", args: ["1"], subInvocations: [] }
  const outer = { contract: stranger, function: "sell", args: [], subInvocations: [inner] }
  const whole = { contract: strangeContract, function: "swap", args: [friend, "7"] }

  const operations: ReadonlyArray<readonly [Record<string, unknown>, sentence: string]> = [
    [{ type: "account_merge", destination: friend }, "Merges the account into Bob: all its lumens go there and it is gone."],
    [{ type: "begin_sponsoring_future_reserves", sponsored: friend }, "Begins to pay the reserves of Bob."],
    [{ type: "change_trust", asset, limit: "0" }, "Removes the trustline to EVIL of Eve."],
    [{ type: "change_trust", asset, limit: "1.5" }, "Opens the trustline to EVIL of Eve for up to 1.5000000."],
    [
      { type: "change_trust", asset: `pool:native/${asset}`, limit: "0" },
      "Removes the trustline to the shares of the pool of lumens and EVIL of Eve."
    ],
    [{ type: "claim_claimable_balance", balanceId: "0000" }, "Claims the claimable balance 0000."],
    [{ type: "end_sponsoring_future_reserves" }, "Ends the sponsoring that began before."],
    [{ type: "invoke_contract", ...whole, subInvocations: [] }, "Calls swap(Bob, 7) of Jar."],
    [
      { type: "invoke_contract", ...whole, subInvocations: [outer, inner] },
      "Calls swap(Bob, 7) of Jar, which may call sell() of Eve with burn(1) of Jar, burn(1) of Jar in the account's name."
    ],
    [
      { type: "liquidity_pool_withdraw", poolId: pool, shares: "3", minAmountA: "1", minAmountB: "2" },
      `Gives back 3.0000000 shares of the pool ${pool} for at least 1.0000000 and 2.0000000 of its two assets.`
    ],
    [{ type: "manage_data", name: "a \"b\"", value: null }, "Removes the data entry \"a \\\"b\\\"\"."],
    [
      { type: "manage_sell_offer", offerId: "42", selling: "native", buying: asset, amount: "0" },
      "Cancels the offer 42 of lumens for EVIL of Eve."
    ],
    [
      {
        type: "path_payment_strict_receive",
        sendAsset: asset,
        sendMax: "2",
        destination: friend,
        destAsset: "native",
        destAmount: "1",
        path: []
      },
      "Buys 1.0000000 lumens for at most 2.0000000 EVIL of Eve, for Bob."
    ],
    [
      {
        type: "path_payment_strict_send",
        sendAsset: asset,
        sendAmount: "2",
        destination: friend,
        destAsset: "native",
        destMin: "1",
        path: []
      },
      "Sells 2.0000000 EVIL of Eve for at least 1.0000000 lumens, for Bob."
    ],
    [{ type: "payment", asset, amount: "1", destination: stranger }, "Destroys 1.0000000 EVIL of Eve: it goes back to its issuer."],
    [{ type: "payment", asset, amount: "1", destination: friend }, "Pays 1.0000000 EVIL of Eve to Bob."],
    [{ type: "payment", asset: "native", amount: "1", destination: friend }, "Pays 1.0000000 lumens to Bob."],
    [{ type: "restore_footprint", keys: ["a", "b"] }, "Brings 2 archived ledger entries back."],
    [{ type: "revoke_sponsorship", entry: "data_entry:me:a", owner: null }, "Stops paying the reserve of data_entry:me:a."]
  ]

  it("has one sentence for each kind of operation, and says in whose name it acts", () => {
    const names = new Map([[friend, "Bob"], [stranger, "Eve"], [strangeContract, "Jar"]])
    const named = (address: string): string => names.get(address) ?? address
    const of = (fields: Record<string, unknown>, source: string): string =>
      operationSentence({ ...Schema.decodeUnknownSync(ShownOperation)(fields), source: AccountAddress.make(friend) }, source, named)
    assert.deepStrictEqual(operations.map(([fields]) => of(fields, friend)), operations.map(([, sentence]) => sentence))
    assert.strictEqual(
      of({ type: "end_sponsoring_future_reserves" }, stranger),
      "In the name of Bob: Ends the sponsoring that began before."
    )
  })
})
