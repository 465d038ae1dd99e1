import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer, Schema, type Scope } from "effect"
import { sandboxAddress } from "../../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../../src/close/situation/MediatorSigner.ts"
import { AccountState } from "../../../src/domain/Account.ts"
import { type AccountAddress, ContractAddress } from "../../../src/domain/Address.ts"
import { addressOf } from "../../../src/ledger/soroban/Values.ts"
import { noPositions } from "../../../src/protocols/HeldPosition.ts"
import type { Protocol } from "../../../src/protocols/Protocol.ts"
import { ProtocolRegistry } from "../../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses, noContracts, type TokenContracts } from "../../../src/registry/ContractAddresses.ts"
import { type NewToken, withToken } from "../../../src/sandbox/contracts/tokens/NewToken.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { startSandbox } from "../../../src/sandbox/Sandbox.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { Service } from "../../close/support/Service.ts"
import { bare } from "../../protocols/support/Bare.ts"
import type { Answered, ErrorBody } from "../../support/TestService.ts"
import { startTestService } from "../../support/TestService.ts"

interface Served {
  readonly tokens: TokenContracts
  readonly protocols?: ReadonlyArray<Protocol>
  readonly settings?: Readonly<Record<string, string>>
}

/** The production service over a sandbox with these listed tokens and only these decoders. */
export const startTokensServed = (
  { protocols = [], settings = {}, tokens }: Served
): Effect.Effect<Service["Type"], unknown, Scope.Scope> =>
  startTestService(
    settings,
    Layer.scoped(
      Serving,
      Effect.gen(function*() {
        const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox()
        const address = sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl })
        const registry = { version: "none", lastVerified: "2026-01-01", validUntil: "2999-01-01", source: "a test", entries: [] }
        const contracts = ContractAddresses.layerValue({
          protocols: noContracts,
          tokens
        })
        return Serving.of({
          sandbox: { network, contracts, mediator: Keypair.random(), prepared: [], registry, address },
          sandboxOnly: true,
          networks: [{ address, mediator: MediatorSigner.layerNone, contracts, protocols: ProtocolRegistry.layerOf(protocols) }]
        })
      })
    )
  )

export const tokensServed = (served: Served) => Layer.scoped(Service, startTokensServed(served))

/** A protocol in which every account has a position that pays these tokens, with another token as its share. */
export const paying = (pays: ReadonlyArray<ContractAddress>, share: ContractAddress): Protocol =>
  bare("amm_2", {
    shares: [share],
    decode: () => ({
      ...noPositions,
      positions: [{
        protocol: "amm_2",
        contract: share,
        key: "share",
        rows: [{ protocol: "amm_2", positionType: "lp", contractAddress: share, shareAmount: "1", usdValue: null }],
        pays,
        owes: [],
        givenUnder: null
      }]
    })
  })

/** Puts a token at an address; the root account may mint. */
export const TokenAt = (address: ContractAddress, token: NewToken = {}) =>
  Effect.flatMap(Network, ({ amend, root }) => amend((state) => withToken(state, addressOf(address), addressOf(root.publicKey()), token)))

const decodeState = Schema.decodeUnknownSync(AccountState)

/** The contract tokens of an account, as they go over the wire. */
export const readTokens = (address: string, manual: ReadonlyArray<string> = []) =>
  Effect.gen(function*() {
    const { call } = yield* Service
    const query = manual.length === 0 ? "" : `?tokens=${manual.join(",")}`
    const { body, status }: Answered<unknown> = yield* call("GET", `/testnet/account/${address}${query}`)
    if (status !== 200) return yield* Effect.dieMessage(`${status}: ${JSON.stringify(body)}`)
    const { contractTokens } = decodeState(body)
    return contractTokens ?? (yield* Effect.dieMessage("contract tokens were not read"))
  })

/** The error of a read. */
export const refusedTokens = (address: string, manual: ReadonlyArray<string>) =>
  Effect.flatMap(Service, ({ call }) => call<ErrorBody>("GET", `/testnet/account/${address}?tokens=${manual.join(",")}`))

/** An address (G…) with the service's brand. */
export type Owner = AccountAddress

/** Status and detail by source. */
export const coverageIn = ({ coverage }: NonNullable<typeof AccountState.Type["contractTokens"]>) =>
  Object.fromEntries(coverage.map(({ detail = null, source, status }) => [source, [status, detail]]))

export const contractAt = (text: string): ContractAddress => ContractAddress.make(text)
