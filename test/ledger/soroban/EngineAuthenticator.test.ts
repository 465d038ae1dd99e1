import { assert, describe, it } from "@effect/vitest"
import { Keypair, xdr } from "@stellar/stellar-sdk"
import { native } from "../../../src/ledger/Asset.ts"
import { contractFunction, type ContractModel } from "../../../src/ledger/soroban/Contract.ts"
import { addressVal, bool, bytes, string, struct, symbol, u32, vec, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { keyOfNonce } from "../../../src/xdr/LedgerKeys.ts"
import { referenceTo } from "../../close/leaving/support/ByReference.ts"
import { networkId } from "../support/World.ts"
import { callOf, madeBy, tree } from "./support/Agreements.ts"
import { authenticatorOver, payload } from "./support/Authenticators.ts"
import { addressIn, ContractWorld, muxedAddress } from "./support/ContractWorld.ts"
import { contractAt, nonceEntry } from "./support/Entries.ts"

/** An account contract that announces each question, and agrees unless the signature is a number; a boolean is its answer. */
const wallet: ContractModel = {
  functions: {
    __check_auth: contractFunction(["bytes", "value", "vec"], (host, [payload, signature, contexts]) => {
      if (signature.type === "scvU32") return host.fail(signature.u32)
      if (signature.type === "scvBool") return signature
      host.emit([symbol("checked")], vec(bytes(payload), signature, vec(...contexts)))
      return voidVal
    })
  }
}

const [here, there] = [contractAt(1), contractAt(2)]

describe("an account contract", () => {
  const setUp = (signatures?: "assume") => {
    const world = new ContractWorld(wallet)
    return { contract: world.deploy(wallet), ...authenticatorOver(world, signatures) }
  }
  const announced = ({ engine }: ReturnType<typeof setUp>): ReadonlyArray<xdr.ScVal> =>
    engine.journal.events().map(({ body }) => body.v0.data)

  const context = (contract: xdr.ScAddress, name: string, ...args: ReadonlyArray<xdr.ScVal>): xdr.ScVal =>
    vec(symbol("Contract"), struct({ args: vec(...args), contract: addressVal(contract), fn_name: symbol(name) }))

  it("is asked with payload, signature and every call of the tree, each before those under it", () => {
    const parts = setUp()
    const agreed = tree(
      callOf(here, "pay", [u32(1), u32(2)]),
      tree(callOf(there, "transfer", [u32(3)]), tree(callOf(here, "inner"))),
      tree(callOf(there, "burn"))
    )
    assert.strictEqual(parts.authenticate(parts.contract, symbol("mine"), agreed), "success")
    const contexts = vec(
      context(here, "pay", u32(1), u32(2)),
      context(there, "transfer", u32(3)),
      context(here, "inner"),
      context(there, "burn")
    )
    assert.deepStrictEqual(announced(parts), [vec(bytes(payload), symbol("mine"), contexts)])
  })

  const [salt, hash] = [new Uint8Array(32).fill(3), new Uint8Array(32).fill(4)]
  const ofCode = xdr.ContractExecutable.contractExecutableWasm(hash)
  const { SorobanAuthorizedFunction: Agreement } = xdr
  const plain = (executable: xdr.ContractExecutable, contractIdPreimage = madeBy(here, salt)) =>
    Agreement.sorobanAuthorizedFunctionTypeCreateContractHostFn(new xdr.CreateContractArgs({ contractIdPreimage, executable }))
  const given = (...constructorArgs: Array<xdr.ScVal>) =>
    Agreement.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(
      new xdr.CreateContractArgsV2({ contractIdPreimage: madeBy(here, salt), executable: ofCode, constructorArgs })
    )

  it("is asked for creations too, with the code and the arguments of each, and for the calls that they lead to", () => {
    const parts = setUp()
    const named = xdr.ContractExecutable.contractExecutableExternalRef(referenceTo(there))
    const agreed = tree(plain(ofCode), tree(plain(named)), tree(given()), tree(given(u32(1), u32(2)), tree(callOf(there, "burn"))))
    assert.strictEqual(parts.authenticate(parts.contract, voidVal, agreed), "success")
    const code = vec(symbol("Wasm"), bytes(hash))
    const owner = struct({ owner: addressVal(there), tag: string("pool") })
    const created = (executable: xdr.ScVal) => vec(symbol("CreateContractHostFn"), struct({ executable, salt: bytes(salt) }))
    assert.deepStrictEqual(announced(parts), [vec(
      bytes(payload),
      voidVal,
      vec(
        created(code),
        created(vec(symbol("ExternalRef"), owner)),
        created(code),
        vec(
          symbol("CreateContractWithCtorHostFn"),
          struct({ executable: code, salt: bytes(salt), constructor_args: vec(u32(1), u32(2)) })
        ),
        context(there, "burn")
      )
    )])
  })

  it("is not asked for the contract of an asset, which anyone creates", () => {
    const { authenticate, contract } = setUp()
    const asset = xdr.ContractIdPreimage.contractIdPreimageFromAsset(native)
    const refusals = [plain(xdr.ContractExecutable.contractExecutableStellarAsset()), plain(ofCode, asset)].map((fn) =>
      authenticate(contract, voidVal, tree(fn))
    )
    const ending = "is not allowed when authorizing create_contract host fn"
    assert.deepStrictEqual(refusals, [
      `HostError: Error(Auth, InvalidInput): StellarAsset executable ${ending}`,
      `HostError: Error(Auth, InvalidInput): asset preimage ${ending}`
    ])
  })

  it("agrees by an answer that is void, and by no other", () => {
    const { authenticate, contract } = setUp()
    assert.strictEqual(authenticate(contract, bool(true)), "HostError: Error(Value, UnexpectedType)")
  })

  it("may be the contract that runs, but none further up", () => {
    const { authenticate, contract, engine } = setUp()
    const inside = (...running: ReadonlyArray<xdr.ScAddress>): string =>
      running.reduceRight((asked, each) => () => engine.inFrame(each, asked), () => authenticate(contract, voidVal))()
    const text = "HostError: Error(Context, InvalidAction): Contract re-entry is not allowed"
    assert.deepStrictEqual([inside(here), inside(contract), inside(contract, here)], ["success", "success", text])
  })

  it("refuses with an error of its own", () => {
    const { authenticate, contract } = setUp()
    assert.strictEqual(authenticate(contract, u32(31)), "HostError: Error(Contract, #31): failing with contract error")
  })

  it("is not asked where signatures are assumed", () => {
    const parts = setUp("assume")
    assert.strictEqual(parts.authenticate(parts.contract, u32(31)), "success")
    assert.deepStrictEqual([announced(parts), parts.engine.storage.final()], [[], []])
  })
})

it("an address of another kind has no owner to ask", () => {
  const muxed = muxedAddress(Keypair.random(), 1n)
  for (const signatures of ["verify", "assume"] as const) {
    assert.strictEqual(
      authenticatorOver(new ContractWorld(), signatures).authenticate(muxed, voidVal),
      "HostError: Error(Object, InternalError): unexpected address type in auth"
    )
  }
})

describe("a nonce", () => {
  const setUp = () => ({ ...authenticatorOver(new ContractWorld()), owner: addressIn(Keypair.random()) })

  it("belongs to the network of the engine", () => {
    assert.strictEqual(setUp().engine.authenticator.networkId, networkId)
  })

  for (const [until, livesUntil] of [[1_000, 1_019], [1_019, 1_019], [1_020, 1_020], [1_499, 1_499]] as const) {
    it(`of a signature good until ledger ${until} is kept until ${livesUntil}`, () => {
      const { consume, engine, owner } = setUp()
      assert.strictEqual(consume(owner, 7n, until), "success")
      const living = { entry: nonceEntry(owner, 7n), liveUntil: livesUntil }
      assert.deepStrictEqual(engine.storage.final(), [{ key: keyOfNonce(owner, 7n), access: "readWrite", living }])
    })
  }

  for (const [until, text] of [[999, "signature has expired"], [1_500, "signature expiration is too late"]] as const) {
    it(`of a signature good until ledger ${until} is not kept`, () => {
      const { consume, engine, owner } = setUp()
      assert.strictEqual(consume(owner, 7n, until), `HostError: Error(Auth, InvalidInput): ${text}`)
      assert.deepStrictEqual(engine.storage.final(), [])
    })
  }

  it("is used once by an address", () => {
    const { consume, owner } = setUp()
    const nonces = [[owner, 7n], [owner, 7n], [owner, 8n], [addressIn(Keypair.random()), 7n], [owner, 7n]] as const
    const used = "HostError: Error(Auth, ExistingValue): nonce already exists for address"
    assert.deepStrictEqual(nonces.map(([address, nonce]) => consume(address, nonce, 1_100)), ["success", used, "success", "success", used])
  })
})
