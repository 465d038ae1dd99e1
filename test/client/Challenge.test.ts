import { assert, describe, it } from "@effect/vitest"
import { Account, Keypair, Networks, Operation, Transaction, TransactionBuilder, WebAuth } from "@stellar/stellar-sdk"
import { challengeDomain, isDomainOf } from "../../src/client/Challenge.ts"

const [server, owner] = [Keypair.random(), Keypair.random().publicKey()]

const challenge = (domain: string, serverDomain = domain) =>
  WebAuth.buildChallengeTx(server, owner, domain, 300, Networks.TESTNET, serverDomain)

const domainIn = (envelope: string, address = owner) => challengeDomain(envelope, Networks.TESTNET, address)

/** A challenge without the domain of its server, which older servers make. */
const olderChallenge = () => {
  const builder = new TransactionBuilder(new Account(server.publicKey(), "-1"), { fee: "100", networkPassphrase: Networks.TESTNET })
  const made = builder.addOperation(Operation.manageData({ name: "other.example auth", value: "A".repeat(64), source: owner }))
    .setTimeout(300).build()
  made.sign(server)
  return made.toXdr()
}

describe("a challenge before it is signed", () => {
  it("names the domain that it signs the account in at", () => {
    assert.strictEqual(domainIn(challenge("closeout.example:8443")), "closeout.example:8443")
  })

  it("is none for another account, network or server, and none without a signature of its server", () => {
    const envelope = challenge("closeout.example")
    assert.isNull(domainIn(envelope, Keypair.random().publicKey()))
    assert.isNull(challengeDomain(envelope, Networks.PUBLIC, owner))
    assert.isNull(domainIn(challenge("closeout.example", "other.example")))
    assert.isNull(domainIn(olderChallenge()))
    const unsigned = new Transaction(envelope, Networks.TESTNET)
    unsigned.signatures.length = 0
    assert.isNull(domainIn(unsigned.toXdr()))
    assert.isNull(domainIn("AAAA"))
  })

  it("is that of a service only by the service's own address", () => {
    assert.isTrue(isDomainOf("closeout.example", "https://closeout.example/keys"))
    assert.isTrue(isDomainOf("closeout.example:8443", "https://closeout.example:8443"))
    assert.isTrue(isDomainOf("localhost", "http://127.0.0.1:3000"))
    assert.isFalse(isDomainOf("localhost", "https://closeout.example"))
    assert.isFalse(isDomainOf("other.example", "https://closeout.example"))
    assert.isFalse(isDomainOf("other.example", "http://127.0.0.1:3000"))
    assert.isFalse(isDomainOf("closeout.example", "https://closeout.example:8443"))
  })
})
