import { assert, describe, it } from "@effect/vitest"
import { Account, authorizeEntry, Keypair, Networks, Operation, StrKey, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import type { UnreadableRecord } from "../../src/chain/ledger-api/TransactionRecord.ts"
import { breachOf, type Honest } from "../../src/close/watch/Breach.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { TransactionHash } from "../../src/domain/Ledger.ts"

const [mediator, stranger] = [Keypair.random(), Keypair.random()]

const honest: Honest = {
  mediator: AccountAddress.make(mediator.publicKey()),
  passphrase: Networks.TESTNET,
  sweepAccount: null,
  listingOf: () => null
}

const contract = StrKey.encodeContract(Buffer.alloc(32))

/** A contract call and an unsigned authorization entry of the mediator for it. */
const unsigned = new xdr.SorobanAuthorizationEntry({
  credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
    new xdr.SorobanAddressCredentials({
      address: xdr.ScAddress.scAddressTypeAccount(xdr.PublicKey.publicKeyTypeEd25519(mediator.rawPublicKey())),
      nonce: 1n,
      signatureExpirationLedger: 0,
      signature: xdr.ScVal.scvVoid()
    })
  ),
  rootInvocation: new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      new xdr.InvokeContractArgs({
        contractAddress: xdr.ScAddress.scAddressTypeContract(new xdr.ContractId(new Uint8Array(32))),
        functionName: "transfer",
        args: []
      })
    ),
    subInvocations: []
  })
})

/** The rule that a stranger's call with this authorization breaks. */
const ruleOf = (auth: xdr.SorobanAuthorizationEntry): string | undefined => {
  const transaction = new TransactionBuilder(new Account(stranger.publicKey(), "1"), { fee: "100", networkPassphrase: Networks.TESTNET })
    .addOperation(Operation.invokeContractFunction({ contract, function: "transfer", args: [], auth: [auth] }))
    .setTimeout(0)
    .build()
  const failed = new xdr.TransactionResult({
    feeCharged: 100n,
    result: xdr.TransactionResultResult.txInternalError(),
    ext: xdr.TransactionResultExt.v0()
  })
  const place = { hash: TransactionHash.make("0".repeat(64)), ledger: 1, pagingToken: 1n, closedAt: null }
  return breachOf({ ...place, envelope: transaction.toEnvelope(), result: failed }, honest)?.rule
}

describe("a call of a contract in a stranger's transaction", () => {
  it("counts as the mediator's where its key signed for that call, and not where its address only stands there", async () => {
    const signed = await authorizeEntry(unsigned, mediator, 100, Networks.TESTNET)
    const forged = await authorizeEntry(unsigned, mediator, 100, Networks.PUBLIC)
    assert.deepStrictEqual([signed, unsigned, forged].map(ruleOf), ["other_operation", undefined, undefined])
  })
})

describe("a transaction in a form that this version does not know", () => {
  const [hash, inner] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const place = { hash: TransactionHash.make("0".repeat(64)), ledger: 1, pagingToken: 1n, envelope: null }
  const ruleOfSigned = (signed: UnreadableRecord["signed"]) => breachOf({ ...place, signed }, honest)?.rule
  const signedBy = (key: Keypair, message: Buffer) => ({ hash: message, signatures: [key.sign(message)] })

  it("breaks a rule where the mediator's key signed it or the transaction in it, and where its signatures are not reported", () => {
    const bySomeone = signedBy(stranger, hash)
    assert.deepStrictEqual(
      [[signedBy(mediator, hash)], [bySomeone, signedBy(mediator, inner)], null].map(ruleOfSigned),
      ["unreadable", "unreadable", "unreadable"]
    )
  })

  it("breaks none where others signed it, even with a copy of another signature of the mediator", () => {
    const copied = { hash, signatures: [mediator.sign(inner), Buffer.alloc(64, 255), Buffer.alloc(0)] }
    assert.deepStrictEqual([[signedBy(stranger, hash)], [copied], []].map(ruleOfSigned), [undefined, undefined, undefined])
  })
})
