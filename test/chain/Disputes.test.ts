import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Disputes } from "../../src/chain/witness/Disputes.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { SourcesDisagree } from "../../src/domain/failure/Upstream.ts"

const contradicted = (about: string) => new SourcesDisagree({ about })

const [one, other] = [Keypair.random(), Keypair.random()].map((pair) => AccountAddress.make(pair.publicKey())) as [
  AccountAddress,
  AccountAddress
]

describe("what was contradicted", () => {
  it("is remembered for its account alone, as it was at last, until it is settled", () => {
    const disputes = new Disputes()
    disputes.add(one, contradicted("contract_code"))
    disputes.add(one, contradicted("contract_entries"))
    assert.strictEqual(disputes.of(one)?.about, "contract_entries")
    assert.isUndefined(disputes.of(other))
    disputes.settle(other)
    assert.isDefined(disputes.of(one))
    disputes.settle(one)
    assert.isUndefined(disputes.of(one))
  })

  it("is remembered for 20,000 accounts, and the oldest are dropped for more", () => {
    const disputes = new Disputes()
    // Of so many accounts only the names matter.
    const account = (at: number) => `account ${at}` as AccountAddress
    const failure = contradicted("contract_entries")
    for (let at = 0; at < 20_000; at++) disputes.add(account(at), failure)
    disputes.add(account(0), failure)
    for (const at of [0, 1, 19_999]) assert.isDefined(disputes.of(account(at)))
    disputes.add(account(20_000), failure)
    assert.isUndefined(disputes.of(account(1)))
    for (const at of [0, 10_000, 19_999, 20_000]) assert.isDefined(disputes.of(account(at)))
  })
})
