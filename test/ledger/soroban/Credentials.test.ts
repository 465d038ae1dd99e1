import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import { contractFunction, type ContractModel } from "../../../src/ledger/soroban/Contract.ts"
import { type Credentials, credentialsOf, credentialsXdr, payloadOf, verifyCredentials } from "../../../src/ledger/soroban/Credentials.ts"
import { Meter } from "../../../src/ledger/soroban/Meter.ts"
import { testNetworkSettings } from "../../../src/ledger/soroban/Settings.ts"
import { bytes, symbol, u32, vec, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { keyOfNonce } from "../../../src/xdr/LedgerKeys.ts"
import { networkId } from "../support/World.ts"
import { callOf, tree } from "./support/Agreements.ts"
import { somewhere } from "./support/AssetWorld.ts"
import { addressIn, ContractWorld } from "./support/ContractWorld.ts"
import { overBudget, refusalOf } from "./support/HostErrors.ts"
import { machineOver } from "./support/Machines.ts"
import { signedBy } from "./support/Signatures.ts"

const holder = Keypair.random()

const root = tree(callOf(somewhere, "pay"), tree(callOf(somewhere, "transfer")))

const unsigned = (address: xdr.ScAddress, change: Partial<Credentials> = {}): Credentials => ({
  address,
  nonce: 7n,
  expirationLedger: 1_100,
  signature: voidVal,
  coversAddress: false,
  ...change
})

const fields = new xdr.SorobanAddressCredentials({
  address: addressIn(holder),
  nonce: 7n,
  signatureExpirationLedger: 1_100,
  signature: symbol("signed")
})

const read = { address: fields.address, nonce: 7n, expirationLedger: 1_100, signature: fields.signature }

const { sorobanCredentialsAddress, sorobanCredentialsAddressV2, sorobanCredentialsAddressWithDelegates, sorobanCredentialsSourceAccount } =
  xdr.SorobanCredentials

describe("credentials", () => {
  it("are none for the source of the operation", () => {
    assert.isUndefined(credentialsOf(sorobanCredentialsSourceAccount()))
  })

  it("of an address carry its signature, which covers the address or not", () => {
    assert.deepStrictEqual(credentialsOf(sorobanCredentialsAddress(fields)), { ...read, coversAddress: false })
    assert.deepStrictEqual(credentialsOf(sorobanCredentialsAddressV2(fields)), { ...read, coversAddress: true })
  })

  it("with delegates are refused", () => {
    const delegating = new xdr.SorobanAddressCredentialsWithDelegates({ addressCredentials: fields, delegates: [] })
    assert.strictEqual(
      refusalOf(() => credentialsOf(sorobanCredentialsAddressWithDelegates(delegating))),
      "HostError: Error(Auth, InvalidInput): delegated signatures are not modelled"
    )
  })

  it("are written for a signature that covers the address or not, whichever they were read from", () => {
    for (const coversAddress of [false, true]) {
      const credentials = { ...read, coversAddress }
      assert.deepStrictEqual(credentialsXdr(credentials, false).toJson(), sorobanCredentialsAddress(fields).toJson())
      assert.deepStrictEqual(credentialsXdr(credentials, true).toJson(), sorobanCredentialsAddressV2(fields).toJson())
      assert.deepStrictEqual(credentialsXdr(undefined, coversAddress).toJson(), sorobanCredentialsSourceAccount().toJson())
    }
  })
})

describe("what an owner signs", () => {
  const hashOf = (preimage: xdr.HashIdPreimage): string => createHash("sha256").update(preimage.toXdr()).digest("hex")
  const signed = { networkId, nonce: 7n, signatureExpirationLedger: 1_100, invocation: root }

  it("is a hash of the network, the nonce, its expiry and the whole tree", () => {
    const preimage = xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(new xdr.HashIdPreimageSorobanAuthorization(signed))
    const payload = payloadOf(unsigned(addressIn(holder)), root, networkId)
    assert.strictEqual(Buffer.from(payload).toString("hex"), hashOf(preimage))
  })

  it("is a hash of the address as well where the signature covers it", () => {
    const preimage = xdr.HashIdPreimage.envelopeTypeSorobanAuthorizationWithAddress(
      new xdr.HashIdPreimageSorobanAuthorizationWithAddress({ ...signed, address: addressIn(holder) })
    )
    const payload = payloadOf(unsigned(addressIn(holder), { coversAddress: true }), root, networkId)
    assert.strictEqual(Buffer.from(payload).toString("hex"), hashOf(preimage))
  })
})

/** A fault of a model that looks like an error of the host. */
class LookAlike extends Error {
  readonly isRecoverable = true
  readonly code = "Error(Context, InvalidAction)"
}

/** An account contract that announces each question, or breaks down where the signature is a number. */
const wallet: ContractModel = {
  functions: {
    __check_auth: contractFunction(["bytes", "value", "vec"], (host, [payload, signature, contexts]) => {
      if (signature.type === "scvU32") throw new LookAlike("the model broke down")
      host.emit([symbol("checked")], vec(bytes(payload), signature, u32(contexts.length)))
      return voidVal
    })
  }
}

describe("credentials that are verified", () => {
  const setUp = (limit = 1e9) => {
    const world = new ContractWorld(wallet)
    const owner = world.account()
    const contract = world.deploy(wallet)
    const meter = new Meter(limit)
    const engine = machineOver(world, { contracts: world.options.contracts, meter, signatures: "verify" })
    const verify = (credentials: Credentials): string => refusalOf(() => verifyCredentials(credentials, root, engine.authenticator))
    const has = (address: xdr.ScAddress): boolean => engine.storage.has(keyOfNonce(address, 7n))
    return { owner, contract, engine, verify, has }
  }

  /** Credentials that an account signed, with changes made after that. */
  const credentialsBy = (pair: Keypair, change: Partial<Credentials> = {}, later: Partial<Credentials> = {}): Credentials => {
    const credentials = unsigned(addressIn(pair), change)
    return { ...credentials, signature: vec(signedBy(pair, payloadOf(credentials, root, networkId))), ...later }
  }

  for (const coversAddress of [false, true]) {
    it(`use up their nonce where the signature is good (${coversAddress ? "with" : "without"} the address)`, () => {
      const { engine, has, owner, verify } = setUp()
      assert.strictEqual(verify(credentialsBy(owner, { coversAddress })), "success")
      assert.isTrue(has(addressIn(owner)))
      const lives = engine.storage.final().map(({ living }) => living?.liveUntil)
      assert.deepStrictEqual(lives, [undefined, 1_000 + testNetworkSettings.minTemporaryTtl - 1])
    })
  }

  it("are signed for one nonce, expiry and form", () => {
    const { has, owner, verify } = setUp()
    const refusal = "HostError: Error(Auth, InvalidAction): failed account authentication with error Error(Crypto, InvalidInput)"
    for (const later of [{ nonce: 8n }, { expirationLedger: 1_101 }, { coversAddress: true }]) {
      assert.strictEqual(verify(credentialsBy(owner, {}, later)), refusal)
    }
    assert.isFalse(has(addressIn(owner)))
  })

  it("pass payload, signature and calls to an account contract", () => {
    const { contract, engine, has, verify } = setUp()
    const credentials = unsigned(contract, { signature: symbol("mine") })
    assert.strictEqual(verify(credentials), "success")
    const payload = bytes(payloadOf(credentials, root, networkId))
    assert.deepStrictEqual(engine.journal.events().map(({ body }) => body.v0.data), [vec(payload, symbol("mine"), u32(2))])
    assert.isTrue(has(contract))
  })

  it("say why the owner's agreement is not good, and leave their nonce unused", () => {
    const { has, verify } = setUp()
    assert.strictEqual(
      verify(credentialsBy(holder)),
      "HostError: Error(Auth, InvalidAction): failed account authentication with error Error(Storage, MissingValue)"
    )
    assert.isFalse(has(addressIn(holder)))
  })

  it("fail with the error itself where no call can continue", () => {
    const { owner, verify } = setUp(399_999)
    assert.strictEqual(
      verify(credentialsBy(owner)),
      overBudget
    )
    const pool = xdr.ScAddress.scAddressTypeLiquidityPool(new xdr.PoolId(new Uint8Array(32)))
    assert.strictEqual(setUp().verify(unsigned(pool)), "HostError: Error(Object, InternalError): unexpected address type in auth")
  })

  it("fail with a fault of the model unchanged", () => {
    const { contract, engine, has } = setUp()
    assert.throws(() => verifyCredentials(unsigned(contract, { signature: u32(1) }), root, engine.authenticator), LookAlike)
    assert.isFalse(has(contract))
  })

  it("fail by their nonce only after the owner's agreement was checked", () => {
    const { owner, verify } = setUp()
    const outdated = { expirationLedger: 999 }
    assert.strictEqual(verify(credentialsBy(owner, outdated)), "HostError: Error(Auth, InvalidInput): signature has expired")
    assert.strictEqual(
      verify(unsigned(addressIn(owner), { ...outdated, signature: vec() })),
      "HostError: Error(Auth, InvalidAction): failed account authentication with error Error(Contract, #5)"
    )
    assert.strictEqual(verify(credentialsBy(owner)), "success")
    assert.strictEqual(verify(credentialsBy(owner)), "HostError: Error(Auth, ExistingValue): nonce already exists for address")
  })
})
