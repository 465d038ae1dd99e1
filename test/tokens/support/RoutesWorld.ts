import { HttpClient, type HttpClientRequest } from "@effect/platform"
import { assert } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { ContractRpc } from "../../../src/chain/ContractRpc.ts"
import { LedgerEntries } from "../../../src/chain/LedgerEntries.ts"
import { AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import { simulateInvocation } from "../../../src/ledger/soroban/Simulation.ts"
import { addressOf, addressVal, asI128, strkeyOf, symbol } from "../../../src/ledger/soroban/Values.ts"
import { authorizationProblem, type ContractCall, invocationOf } from "../../../src/operations/ContractCall.ts"
import { ProtocolRegistry } from "../../../src/protocols/ProtocolRegistry.ts"
import { TokenLists } from "../../../src/registry/TokenLists.ts"
import { Friendbot } from "../../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../../src/sandbox/InMemoryTransport.ts"
import { Network, sandboxPassphrase } from "../../../src/sandbox/Network.ts"
import type { DeployedProtocol } from "../../../src/sandbox/scenarios/SandboxDeployment.ts"
import { deployed } from "../../../src/serving/EmbeddedSandbox.ts"
import { TokenRoutes } from "../../../src/tokens/TokenRoutes.ts"
import { settings } from "../../chain/support/Scripted.ts"

/** The requests to sources, by method and count of keys. */
export type Seen = Array<{ readonly method: string; readonly keys: number }>

const counted = (seen: Seen) => (request: HttpClientRequest.HttpClientRequest): void => {
  if (request.body._tag !== "Uint8Array") return
  const { method, params } = JSON.parse(new TextDecoder().decode(request.body.body))
  seen.push({ method, keys: params?.keys?.length ?? 0 })
}

/** Routes through the scenarios' deployments of these protocols, over a sandbox network of its own without a socket. */
export const routesOver = (...names: ReadonlyArray<DeployedProtocol>) => routesSeen([], ...names)

/** The same, with a record of every request. */
export const routesSeen = (seen: Seen, ...names: ReadonlyArray<DeployedProtocol>) =>
  TokenRoutes.layer.pipe(
    Layer.provide(TokenLists.layerContracts),
    Layer.provideMerge(ProtocolRegistry.layer),
    Layer.provideMerge(LedgerEntries.layer),
    Layer.provideMerge(ContractRpc.layer),
    Layer.provide([
      Layer.effect(
        HttpClient.HttpClient,
        Effect.map(inMemoryTransport, HttpClient.tapRequest((request) => Effect.sync(() => counted(seen)(request))))
      ),
      settings([new URL("http://sandbox.invalid/rpc")], [new URL("http://sandbox.invalid/")], sandboxPassphrase)
    ]),
    Layer.provide(deployed(...names)),
    Layer.provide(Friendbot.layer),
    Layer.provideMerge(Network.layer())
  )

export const contractOf = (address: xdr.ScAddress): ContractAddress => ContractAddress.make(strkeyOf(address))

/** The simulation of a call on the newest ledger of the sandbox. */
export const simulated = Effect.fn("RoutesWorld.simulated")(function*(call: ContractCall, by: Keypair) {
  const { contracts, passphrase, snapshot } = yield* Network
  const { state } = yield* snapshot
  const operation = new xdr.InvokeHostFunctionOp({
    hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(invocationOf(call)),
    auth: []
  })
  return simulateInvocation(state, operation, xdr.PublicKey.publicKeyTypeEd25519(by.rawPublicKey()), {
    networkPassphrase: passphrase,
    contracts,
    authorization: { _tag: "Record", allowNonRoot: false, coversAddress: false }
  })
})

const same = (left: xdr.ScVal | undefined, right: xdr.ScVal) => left?.toXdr("base64") === right.toXdr("base64")

/** Base units of a token that a call pays to an account, by the transfers in its simulation; checks the required authorizations. */
export const paidBy = Effect.fn("RoutesWorld.paidBy")(function*(call: ContractCall, by: Keypair, token: ContractAddress) {
  const outcome = yield* simulated(call, by)
  if (outcome._tag === "FailedCall") return assert.fail(outcome.error.message)
  assert.isNull(authorizationProblem(call, AccountAddress.make(by.publicKey()), outcome.auth))
  const own = addressVal(addressOf(by.publicKey()))
  const ofToken = outcome.events.filter(({ contractId }) =>
    contractId !== null && strkeyOf(xdr.ScAddress.scAddressTypeContract(contractId)) === token
  )
  return ofToken
    .filter(({ body: { v0: { topics } } }) => same(topics[0], symbol("transfer")) && same(topics[2], own))
    .reduce((sum, { body: { v0: { data } } }) => sum + asI128(data), 0n)
})

/** The error of a failed call, with the contract's number. */
export const failureOf = Effect.fn("RoutesWorld.failureOf")(function*(call: ContractCall, by: Keypair) {
  const outcome = yield* simulated(call, by)
  return outcome._tag === "FailedCall" ? outcome.error.message : assert.fail("it does not fail")
})
