import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { native } from "../../../src/ledger/Asset.ts"
import { initializeAsset } from "../../../src/ledger/soroban/AssetInstance.ts"
import { assetContractId } from "../../../src/ledger/soroban/ContractEntries.ts"
import { frameOf } from "../../../src/ledger/soroban/Frame.ts"
import { testNetworkSettings } from "../../../src/ledger/soroban/Settings.ts"
import { asString, bytes, contractAddress, mapOf, string, struct, symbol, u32, variant } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { keyOfInstance } from "../../../src/xdr/LedgerKeys.ts"
import { assetOf } from "../support/Bodies.ts"
import { codesOf, idOf, networkId } from "../support/World.ts"
import { refusalText } from "./support/AssetWorld.ts"
import { addressVal, ample, ContractWorld } from "./support/ContractWorld.ts"
import { refusalOf, textOf } from "./support/HostErrors.ts"
import { machineOver } from "./support/Machines.ts"

const longAsset = (issuer: Keypair, assetCode: string): xdr.Asset =>
  xdr.Asset.assetTypeCreditAlphanum12(new xdr.AlphaNum12({ assetCode, issuer: idOf(issuer) }))

const contractOf = (asset: xdr.Asset): xdr.ScAddress => contractAddress(assetContractId(asset, networkId))

const setUp = () => {
  const world = new ContractWorld()
  return { world, issuer: world.account(), alice: world.account() }
}

/** The operation that deploys the contract of an asset. */
const creation = (asset: xdr.Asset): xdr.InvokeHostFunctionOp =>
  new xdr.InvokeHostFunctionOp({
    hostFunction: xdr.HostFunction.hostFunctionTypeCreateContract(
      new xdr.CreateContractArgs({
        contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAsset(asset),
        executable: xdr.ContractExecutable.contractExecutableStellarAsset()
      })
    ),
    auth: []
  })

/** Deploys the contract of an asset in a transaction. */
const create = (world: ContractWorld, source: Keypair, asset: xdr.Asset): xdr.ScAddress => {
  const contract = contractOf(asset)
  const body = xdr.OperationBody.invokeHostFunction(creation(asset))
  const applied = world.submit(world.envelope(source, body, ample([], [keyOfInstance(contract)])))
  assert.deepStrictEqual(codesOf(applied), ["txSuccess", "invokeHostFunctionSuccess"])
  return contract
}

const storageOf = (world: ContractWorld, contract: xdr.ScAddress) => {
  const value = world.valueOf(keyOfInstance(contract))
  assert(value?.type === "scvContractInstance" && value.instance.executable.type === "contractExecutableStellarAsset")
  return (value.instance.storage ?? []).map((entry) => entry.toJson())
}

const metadata = (name: string, symbolText: string) => ({
  key: { symbol: "METADATA" },
  val: {
    map: [
      { key: { symbol: "decimal" }, val: { u32: 7 } },
      { key: { symbol: "name" }, val: { string: name } },
      { key: { symbol: "symbol" }, val: { string: symbolText } }
    ]
  }
})

const admin = (issuer: Keypair) => ({ key: { vec: [{ symbol: "Admin" }] }, val: { address: issuer.publicKey() } })

const info = (kind: string, issuer: Keypair, code: string) => ({
  key: { vec: [{ symbol: "AssetInfo" }] },
  val: {
    vec: [{ symbol: kind }, {
      map: [
        { key: { symbol: "asset_code" }, val: { string: code } },
        { key: { symbol: "issuer" }, val: { bytes: Buffer.from(issuer.rawPublicKey()).toString("hex") } }
      ]
    }]
  }
})

/** Entries of a contract of the asset kind with any instance storage. */
const instanceEntries = (contract: xdr.ScAddress, storage: ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]>) => {
  const map = mapOf(storage)
  assert(map.type === "scvMap")
  const executable = xdr.ContractExecutable.contractExecutableStellarAsset()
  const instance = new xdr.ScContractInstance({ executable, storage: storage.length === 0 ? null : map.map })
  return dataEntries(contract, [xdr.ScVal.scvLedgerKeyContractInstance(), xdr.ScVal.scvContractInstance(instance)], "persistent", 10_000)
}

describe("deploying the contract of an asset", () => {
  it("writes down code, issuer, name and symbol", () => {
    const { alice, issuer, world } = setUp()
    const id = issuer.publicKey()
    assert.deepStrictEqual(storageOf(world, create(world, alice, assetOf(issuer, "USD"))), [
      metadata(`USD:${id}`, "USD"),
      admin(issuer),
      info("AlphaNum4", issuer, "USD\\0")
    ])
    assert.deepStrictEqual(storageOf(world, create(world, alice, assetOf(issuer, "USDC"))), [
      metadata(`USDC:${id}`, "USDC"),
      admin(issuer),
      info("AlphaNum4", issuer, "USDC")
    ])
    assert.deepStrictEqual(storageOf(world, create(world, alice, longAsset(issuer, "DOLLAR"))), [
      metadata(`DOLLAR:${id}`, "DOLLAR"),
      admin(issuer),
      info("AlphaNum12", issuer, "DOLLAR\\0\\0\\0\\0\\0\\0")
    ])
    assert.deepStrictEqual(storageOf(world, create(world, alice, longAsset(issuer, "LONGESTTHERE"))), [
      metadata(`LONGESTTHERE:${id}`, "LONGESTTHERE"),
      admin(issuer),
      info("AlphaNum12", issuer, "LONGESTTHERE")
    ])
  })

  it("leaves the native asset without an administrator", () => {
    const { alice, world } = setUp()
    assert.deepStrictEqual(storageOf(world, create(world, alice, native)), [
      metadata("native", "native"),
      { key: { vec: [{ symbol: "AssetInfo" }] }, val: { vec: [{ symbol: "Native" }] } }
    ])
  })

  it("gives a contract that answers for itself and lives as long as it must", () => {
    const { alice, issuer, world } = setUp()
    const contract = create(world, alice, longAsset(issuer, "DOLLAR"))
    assert.strictEqual(world.lifeOf(keyOfInstance(contract)), world.ledgerSeq + testNetworkSettings.minPersistentTtl - 1)
    const text = (fn: string) => asString(world.read(alice, contract, fn))
    assert.deepStrictEqual([text("name"), text("symbol")], [`DOLLAR:${issuer.publicKey()}`, "DOLLAR"])
    assert.deepStrictEqual(world.read(alice, contract, "decimals"), u32(7))
    assert.deepStrictEqual(world.read(alice, contract, "admin"), addressVal(issuer))
    world.call(alice, contract, "trust", addressVal(alice))
    assert.strictEqual(world.entry(alice).numSubEntries, 1, "a line of the asset of twelve letters")
  })

  it("is possible once", () => {
    const { alice, issuer, world } = setUp()
    const asset = assetOf(issuer)
    create(world, alice, asset)
    const again = textOf(world.simulateOperation(alice, creation(asset)))
    assert.strictEqual(again, "HostError: Error(Storage, ExistingValue): contract already exists")
  })
})

describe("the first call of an asset's contract", () => {
  /** Runs it as the host does, in a contract with this instance storage. */
  const initialize = (asset: xdr.Asset, contract: xdr.ScAddress, storage: ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]> = []): string => {
    const world = new ContractWorld()
    world.put(...instanceEntries(contract, storage))
    const machine = machineOver(world, { signatures: "verify" })
    return refusalOf(() => machine.inFrame(contract, () => initializeAsset(frameOf(machine, contract, "init_asset", []), asset)))
  }

  it("succeeds in the contract with the id of the asset, and in no other", () => {
    const { issuer } = setUp()
    const asset = assetOf(issuer)
    assert.strictEqual(initialize(asset, contractOf(asset)), "success")
    assert.strictEqual(
      initialize(asset, contractOf(assetOf(issuer, "EUR"))),
      "HostError: Error(Context, InternalError): bad id for asset contract"
    )
  })

  it("is refused where the contract stands for an asset already", () => {
    const { issuer } = setUp()
    const asset = assetOf(issuer)
    assert.strictEqual(
      initialize(asset, contractOf(asset), [[variant("AssetInfo"), variant("Native")]]),
      "HostError: Error(Contract, #3)"
    )
  })
})

describe("an asset's contract that lost its data", () => {
  const answer = (fn: string, storage: ReadonlyArray<readonly [xdr.ScVal, xdr.ScVal]>): string => {
    const { alice, world } = setUp()
    const contract = contractOf(native)
    world.put(...instanceEntries(contract, storage))
    return refusalText(world, alice, contract, fn, ...(fn === "balance" ? [addressVal(alice)] : []))
  }
  const broken = "HostError: Error(Storage, InternalError)"

  it("stands for no asset", () => {
    assert.strictEqual(answer("balance", []), broken)
    const infos = (...values: ReadonlyArray<xdr.ScVal>) => answer("balance", [[variant("AssetInfo"), xdr.ScVal.scvVec([...values])]])
    assert.strictEqual(infos(), broken)
    assert.strictEqual(infos(symbol("AlphaNum4")), broken)
    const issuer = bytes(Buffer.alloc(32, 1))
    assert.strictEqual(infos(symbol("AlphaNum4"), struct({ asset_code: symbol("USD"), issuer })), broken)
    assert.strictEqual(
      infos(symbol("AlphaNum4"), struct({ asset_code: string("USD\0"), issuer })),
      "HostError: Error(Contract, #13): trustline entry is missing for account"
    )
    assert.strictEqual(infos(symbol("Native")), "success")
  })

  it("has neither name nor symbol", () => {
    const missing = "HostError: Error(Storage, MissingValue)"
    assert.strictEqual(answer("name", []), missing)
    assert.strictEqual(answer("symbol", []), missing)
  })
})
