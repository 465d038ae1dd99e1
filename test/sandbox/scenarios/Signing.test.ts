import { assert, it } from "@effect/vitest"
import { Account, Keypair, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { signWith } from "../../../src/sandbox/scenarios/Signing.ts"

it("signs as the SDK does, in the order of the keys", () => {
  const keys = Array.from({ length: 8 }, () => Keypair.random())
  const unsigned = (data: string) =>
    new TransactionBuilder(new Account(keys[0]?.publicKey() ?? "", "7"), { fee: "100", networkPassphrase: "a network" })
      .addOperation(Operation.manageData({ name: "a", value: data })).setTimeout(0).build()
  for (const data of ["one", "another"]) {
    const theirs = unsigned(data)
    theirs.sign(...keys)
    assert.strictEqual(signWith(unsigned(data), keys).toXdr(), theirs.toXdr())
  }
})
