import { assert, describe, it } from "@effect/vitest"
import { authorizeEntry, Keypair, xdr } from "@stellar/stellar-sdk"
import { native } from "../../../src/ledger/Asset.ts"
import { sha256 } from "../../../src/ledger/Signatures.ts"
import { contractFunction, type ContractModel } from "../../../src/ledger/soroban/Contract.ts"
import { type SimulatedCall, simulateInvocation } from "../../../src/ledger/soroban/Simulation.ts"
import { addressVal as valOf, bytes, i128, vec, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { keyOfNonce } from "../../../src/xdr/LedgerKeys.ts"
import { codesOf, idOf, networkId, networkPassphrase } from "../support/World.ts"
import { callOf, madeBy, tree } from "./support/Agreements.ts"
import { addressIn, addressVal, ContractWorld, recording, withResources } from "./support/ContractWorld.ts"
import { inOrder, signedBy } from "./support/Signatures.ts"

/** Requires authorization in every way that a contract may. */
const asker: ContractModel = {
  functions: {
    ask: contractFunction(["address"], (host, [who]) => {
      host.requireAuth(who)
      return voidVal
    }),
    ask_twice: contractFunction(["address", "address"], (host, [one, other]) => {
      host.requireAuth(one)
      host.requireAuth(other)
      return voidVal
    }),
    /** Moves money of an account that authorized this call and its sub-calls. */
    pay: contractFunction(["address", "address", "address", "i128"], (host, [token, from, to, amount]) => {
      host.requireAuth(from)
      return host.call(token, "transfer", valOf(from), valOf(to), i128(amount))
    }),
    /** The same without requiring authorization. */
    pay_unasked: contractFunction(
      ["address", "address", "address", "i128"],
      (host, [token, from, to, amount]) => host.call(token, "transfer", valOf(from), valOf(to), i128(amount))
    ),
    /** Pays from the contract's own balance. */
    pay_own: contractFunction(
      ["address", "address", "i128"],
      (host, [token, to, amount]) => host.call(token, "transfer", valOf(host.address), valOf(to), i128(amount))
    ),
    /** Lets another contract pay from this one's balance, with an authorization of exactly that. */
    delegate: contractFunction(["address", "address", "address", "i128", "bool"], (host, [other, token, to, amount, agrees]) => {
      const transfer = callOf(token, "transfer", [valOf(host.address), valOf(to), i128(amount)])
      if (agrees) host.authorizeAsContract([tree(transfer)])
      return host.call(other, "pay_unasked", valOf(token), valOf(host.address), valOf(to), i128(amount))
    })
  }
}

/** The same contract under another hash. */
const twin: ContractModel = { ...asker }

const setUp = () => {
  const world = new ContractWorld(asker, twin)
  const [alice, bob] = [world.account(), world.account()]
  return { world, alice, bob, token: world.asset(native), contract: world.deploy(asker), other: world.deploy(twin) }
}

const later = 500

const sign = (entry: xdr.SorobanAuthorizationEntry, who: Keypair, until = 1_000 + later) =>
  authorizeEntry(entry, who, until, networkPassphrase)

/** Applies a simulated call with these authorizations instead of the recorded ones. */
const apply = (
  world: ContractWorld,
  source: Keypair,
  simulated: SimulatedCall,
  call: Parameters<ContractWorld["operation"]>,
  auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>
) => {
  const body = xdr.OperationBody.invokeHostFunction(world.operation(call[0], call[1], call[2], auth))
  const data = withResources(simulated.estimate.data, { resourceFee: 10n ** 7n, instructions: 50_000_000 })
  return world.submit(world.envelope(source, body, data))
}

const success = ["txSuccess", "invokeHostFunctionSuccess"]
const trapped = ["txFailed", "invokeHostFunctionTrapped"]

const errorOf = (applied: ReturnType<ContractWorld["submit"]>): string => {
  const error = applied.receipt?.diagnosticEvents.at(-1)?.event.body.v0.topics[1]
  return error?.type === "scvError" ? JSON.stringify(error.error.toJson()) : "none"
}

describe("agreements recorded", () => {
  it("of the source need no signature", () => {
    const { alice, contract, world } = setUp()
    const [entry, ...more] = world.succeedSimulating(alice, contract, "ask", addressVal(alice)).auth
    assert.strictEqual(entry?.credentials.type, "sorobanCredentialsSourceAccount")
    assert.deepStrictEqual(more, [])
    world.call(alice, contract, "ask", addressVal(alice))
  })

  it("cover what the agreed call does further down, as a tree", () => {
    const { alice, bob, contract, token, world } = setUp()
    const [entry] = world.succeedSimulating(alice, contract, "pay", valOf(token), addressVal(alice), addressVal(bob), i128(5n)).auth
    const names = (node: xdr.SorobanAuthorizedInvocation): unknown => [
      node.function.type === "sorobanAuthorizedFunctionTypeContractFn" ? String(node.function.contractFn.functionName) : "",
      ...node.subInvocations.map(names)
    ]
    assert.deepStrictEqual(entry === undefined ? [] : names(entry.rootInvocation), ["pay", ["transfer"]])
    const before = world.entry(bob).balance
    world.call(alice, contract, "pay", valOf(token), addressVal(alice), addressVal(bob), i128(5n))
    assert.strictEqual(world.entry(bob).balance, before + 5n)
  })

  it("below the first call must be allowed", () => {
    const { alice, bob, contract, token, world } = setUp()
    const args = [valOf(token), addressVal(alice), addressVal(bob), i128(5n)]
    assert.strictEqual(world.refusal(alice, contract, "pay_unasked", ...args), "Error(Auth, InvalidAction)")
    const allowed = world.simulateOperation(alice, world.operation(contract, "pay_unasked", args), true)
    assert(allowed._tag === "SimulatedCall")
    assert.strictEqual(allowed.auth.length, 1)
    assert.deepStrictEqual(codesOf(apply(world, alice, allowed, [contract, "pay_unasked", args], allowed.auth)), success)
  })

  it("asked for twice in a call are an error, unless the addresses came apart", () => {
    const { alice, contract, world } = setUp()
    const shared = addressVal(alice)
    assert.strictEqual(world.refusal(alice, contract, "ask_twice", shared, shared), "Error(Auth, ExistingValue)")
    assert.strictEqual(world.succeedSimulating(alice, contract, "ask_twice", addressVal(alice), addressVal(alice)).auth.length, 2)
  })

  it("of others store a nonce and read the account", () => {
    const { alice, bob, contract, world } = setUp()
    const { auth, estimate } = world.succeedSimulating(alice, contract, "ask", addressVal(bob))
    const [entry] = auth
    assert(entry?.credentials.type === "sorobanCredentialsAddress")
    const { nonce, signature, signatureExpirationLedger } = entry.credentials.address
    assert.deepStrictEqual([signature.type, signatureExpirationLedger], ["scvVoid", 0])
    const { readOnly, readWrite } = estimate.data.resources.footprint
    assert.deepStrictEqual(readWrite, [keyOfNonce(entry.credentials.address.address, nonce)])
    assert.include(readOnly.map(({ type }) => type), "account")
  })
})

describe("agreements enforced", () => {
  const asking = async (
    entryOf: (at: ReturnType<typeof setUp>, entry: xdr.SorobanAuthorizationEntry) => Promise<ReadonlyArray<xdr.SorobanAuthorizationEntry>>
  ) => {
    const at = setUp()
    const args = [addressVal(at.bob)]
    const simulated = at.world.succeedSimulating(at.alice, at.contract, "ask", ...args)
    const [entry] = simulated.auth
    assert(entry !== undefined)
    return apply(at.world, at.alice, simulated, [at.contract, "ask", args], await entryOf(at, entry))
  }

  it("a signature of the address lets the call through", async () => {
    assert.deepStrictEqual(codesOf(await asking(async ({ bob }, entry) => [await sign(entry, bob)])), success)
  })

  it("a signature over the address as well does too", async () => {
    const at = setUp()
    const args = [addressVal(at.bob)]
    const simulated = simulateInvocation(at.world.state, at.world.operation(at.contract, "ask", args), idOf(at.alice), {
      networkPassphrase,
      contracts: { find: () => asker },
      authorization: { ...recording, coversAddress: true }
    })
    assert(simulated._tag === "SimulatedCall")
    const [entry] = simulated.auth
    assert(entry?.credentials.type === "sorobanCredentialsAddressV2")
    const signed = await sign(entry, at.bob)
    assert.deepStrictEqual(codesOf(apply(at.world, at.alice, simulated, [at.contract, "ask", args], [signed])), success)
  })

  it("nothing, an empty signature, or somebody else's does not", async () => {
    assert.deepStrictEqual(codesOf(await asking(async () => [])), trapped)
    assert.deepStrictEqual(codesOf(await asking(async (_, entry) => [entry])), trapped)
    const stranger = await asking(async ({ alice }, entry) => [await sign(entry, alice)])
    assert.deepStrictEqual(codesOf(stranger), trapped)
    assert.strictEqual(errorOf(stranger), "{\"auth\":\"invalid_action\"}")
  })

  it("a signature that ran out, or is good for too long, does not", async () => {
    assert.deepStrictEqual(codesOf(await asking(async ({ bob }, entry) => [await sign(entry, bob, 1_000)])), trapped)
    const long = await asking(async ({ bob }, entry) => [await sign(entry, bob, 9_000_000)])
    assert.strictEqual(errorOf(long), "{\"auth\":\"invalid_input\"}")
  })

  it("an agreement to other arguments does not", async () => {
    const applied = await asking(async ({ bob, world, alice, contract }) => {
      const [other] = world.succeedSimulating(alice, contract, "ask_twice", addressVal(bob), addressVal(alice)).auth
      assert(other !== undefined)
      return [await sign(other, bob)]
    })
    assert.deepStrictEqual(codesOf(applied), trapped)
  })

  it("a signature works once", async () => {
    const at = setUp()
    const args = [addressVal(at.bob)]
    const simulated = at.world.succeedSimulating(at.alice, at.contract, "ask", ...args)
    const [entry] = simulated.auth
    assert(entry !== undefined)
    const signed = await sign(entry, at.bob)
    const call: Parameters<ContractWorld["operation"]> = [at.contract, "ask", args]
    assert.deepStrictEqual(codesOf(apply(at.world, at.alice, simulated, call, [signed])), success)
    const again = apply(at.world, at.alice, simulated, call, [signed])
    assert.deepStrictEqual(codesOf(again), trapped)
    assert.strictEqual(errorOf(again), "{\"auth\":\"existing_value\"}")
  })

  it("a tree without the call further down does not reach it", () => {
    const { alice, bob, contract, token, world } = setUp()
    const args = [valOf(token), addressVal(alice), addressVal(bob), i128(5n)]
    const simulated = world.succeedSimulating(alice, contract, "pay", ...args)
    const [entry] = simulated.auth
    assert(entry !== undefined)
    const pruned = new xdr.SorobanAuthorizationEntry({
      credentials: entry.credentials,
      rootInvocation: tree(entry.rootInvocation.function)
    })
    assert.deepStrictEqual(codesOf(apply(world, alice, simulated, [contract, "pay", args], [pruned])), trapped)
    assert.deepStrictEqual(codesOf(apply(world, alice, simulated, [contract, "pay", args], [entry])), success)
  })
})

describe("accounts with several signers", () => {
  const signers = inOrder([Keypair.random(), Keypair.random()])

  const asking = (chosen: ReadonlyArray<Keypair>) => {
    const world = new ContractWorld(asker)
    const alice = world.account()
    const shared = world.account(10_000_000_000n, {
      thresholds: Uint8Array.of(0, 1, 2, 3),
      signers: signers.map((pair) => new xdr.Signer({ key: xdr.SignerKey.signerKeyTypeEd25519(pair.rawPublicKey()), weight: 1 }))
    })
    const contract = world.deploy(asker)
    const simulated = world.succeedSimulating(alice, contract, "ask", addressVal(shared))
    const [entry] = simulated.auth
    assert(entry?.credentials.type === "sorobanCredentialsAddress")
    const { address, nonce } = entry.credentials.address
    const signatureExpirationLedger = world.ledgerSeq + 100
    const payload = sha256(
      xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
        new xdr.HashIdPreimageSorobanAuthorization({
          networkId,
          nonce,
          signatureExpirationLedger,
          invocation: entry.rootInvocation
        })
      ).toXdr()
    )
    const signature = vec(...chosen.map((pair) => signedBy(pair, payload)))
    const signed = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
        new xdr.SorobanAddressCredentials({ address, nonce, signatureExpirationLedger, signature })
      ),
      rootInvocation: entry.rootInvocation
    })
    return codesOf(apply(world, alice, simulated, [contract, "ask", [addressVal(shared)]], [signed]))
  }

  it("agree at the medium threshold", () => {
    assert.deepStrictEqual(asking(signers), success)
    assert.deepStrictEqual(asking(signers.slice(0, 1)), trapped)
  })

  it("sign in the order of their keys, each once, and nobody else", () => {
    assert.deepStrictEqual(asking(signers.toReversed()), trapped)
    assert.deepStrictEqual(asking(signers.slice(0, 1).flatMap((pair) => [pair, pair])), trapped)
    assert.deepStrictEqual(asking(inOrder([...signers, Keypair.random()])), trapped)
  })
})

describe("agreements of contracts", () => {
  const funded = () => {
    const at = setUp()
    at.world.call(at.alice, at.token, "transfer", addressVal(at.alice), valOf(at.contract), i128(100n))
    return at
  }

  it("are given by calling", () => {
    const { alice, bob, contract, token, world } = funded()
    const before = world.entry(bob).balance
    world.call(alice, contract, "pay_own", valOf(token), addressVal(bob), i128(40n))
    assert.strictEqual(world.entry(bob).balance, before + 40n)
  })

  it("do not reach further down by themselves, but can be given for it", () => {
    const { alice, bob, contract, other, token, world } = funded()
    const delegate = (agrees: boolean) => [valOf(other), valOf(token), addressVal(bob), i128(40n), xdr.ScVal.scvBool(agrees)]
    assert.strictEqual(world.refusal(alice, contract, "delegate", ...delegate(false)), "Error(Auth, InvalidAction)")
    const before = world.entry(bob).balance
    world.call(alice, contract, "delegate", ...delegate(true))
    assert.strictEqual(world.entry(bob).balance, before + 40n)
  })
})

it("an uploaded contract is created by who agrees, and an asset's by anybody", () => {
  const world = new ContractWorld(asker)
  const alice = world.account()
  const code = Uint8Array.of(0, 97, 115, 109)
  const upload = new xdr.InvokeHostFunctionOp({ hostFunction: xdr.HostFunction.hostFunctionTypeUploadContractWasm(code), auth: [] })
  const run = (operation: xdr.InvokeHostFunctionOp) => {
    const simulated = world.simulateOperation(alice, operation)
    assert(simulated._tag === "SimulatedCall", simulated._tag === "FailedCall" ? simulated.error.message : "")
    const body = xdr.OperationBody.invokeHostFunction(new xdr.InvokeHostFunctionOp({ ...operation, auth: [...simulated.auth] }))
    assert.deepStrictEqual(codesOf(world.submit(world.envelope(alice, body, simulated.estimate.data))), success)
    return simulated
  }
  assert.deepStrictEqual(run(upload).returnValue, bytes(sha256(code)))
  const creation = new xdr.CreateContractArgs({
    contractIdPreimage: madeBy(addressIn(alice)),
    executable: xdr.ContractExecutable.contractExecutableWasm(sha256(code))
  })
  const create = new xdr.InvokeHostFunctionOp({ hostFunction: xdr.HostFunction.hostFunctionTypeCreateContract(creation), auth: [] })
  const created = run(create)
  assert.strictEqual(created.auth[0]?.rootInvocation.function.type, "sorobanAuthorizedFunctionTypeCreateContractHostFn")
  const again = world.simulateOperation(alice, create)
  assert.strictEqual(again._tag === "FailedCall" ? again.error.code : "", "Error(Storage, ExistingValue)")
})
