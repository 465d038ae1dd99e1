import { hash, StrKey } from "@stellar/stellar-sdk"
import * as xdr from "@stellar/stellar-sdk/xdr"
import { addressNamed, addressValue } from "../stellar/ScAddresses.ts"
import { latin1Of } from "../xdr/ByteText.ts"
import { xdrBytes } from "../xdr/XdrBytes.ts"
import type { Expected } from "./Expected.ts"

// The address of a contract that a contract deployed is a hash of the deployer's address and a salt (CAP-46). Routers and factories make the
// salt from the tokens of a pool. So the address of a pool proves who deployed it, and for which tokens.

const joined = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

const hashOf = (...values: ReadonlyArray<xdr.ScVal>): Uint8Array => hash(joined(...values.map((value) => xdrBytes(value))))

/** What stands before 32 bytes in the XDR of a value that holds them. */
const before = xdrBytes(xdr.ScVal.scvBytes(new Uint8Array(32))).slice(0, 8)

/** The hash of two hashes, as values. */
const merged = (left: Uint8Array, right: Uint8Array): Uint8Array => hash(joined(before, left, before, right))

/** A hash of values, each of which ends with a separator. */
const indexOf = (...values: ReadonlyArray<xdr.ScVal>): Uint8Array =>
  hashOf(...values.flatMap((value) => [value, xdr.ScVal.scvSymbol("0x00")]))

const counted = (count: number): xdr.ScVal => xdr.ScVal.scvU128(new xdr.Uint128Parts({ hi: 0n, lo: BigInt(count) }))

/** Fees of amm_1 pools in hundredths of a per cent, with the spacing of ticks of the concentrated pools that have them. */
const fees = [[10, 20], [30, 60], [100, 200]] as const

/** Pools that a router has deployed, at most: 346 on mainnet in September 2026. */
const mostPools = 1_000

/** Salts of the pools that a router of amm_1 deploys for some tokens: by fee or kind, and the count of pools before. */
const numberedSalts = function*(tokens: ReadonlyArray<xdr.ScVal>): Generator<Uint8Array> {
  const set = hashOf(...tokens)
  const byFee = fees.flatMap(([fee, spacing]) => [
    merged(set, indexOf(xdr.ScVal.scvSymbol("standard"), xdr.ScVal.scvU32(fee))),
    merged(set, indexOf(xdr.ScVal.scvSymbol("cl"), xdr.ScVal.scvU32(fee), xdr.ScVal.scvI32(spacing)))
  ])
  for (let count = 0; count < mostPools; count++) {
    yield merged(set, indexOf(xdr.ScVal.scvSymbol("stable"), counted(count)))
    const number = hashOf(xdr.ScVal.scvSymbol("0x00"), counted(count), xdr.ScVal.scvSymbol("0x00"))
    for (const salt of byFee) yield merged(salt, number)
  }
}

interface Deployment {
  /** The role of the deployer in a book. */
  readonly by: string
  /** The roles that what it deploys can have. */
  readonly roles: ReadonlyArray<string>
  readonly salts: (tokens: ReadonlyArray<xdr.ScVal>) => Iterable<Uint8Array>
}

const deployments: Readonly<Record<string, Deployment>> = {
  amm_1: { by: "router", roles: ["pool"], salts: numberedSalts },
  amm_3: { by: "factory", roles: ["fiveArgumentPool", "sixArgumentPool"], salts: (tokens) => [hashOf(...tokens)] }
}

const encoder = new TextEncoder()

/** The id of a contract by the salt under which a contract deploys it. */
const idsOf = (deployer: string, networkPassphrase: string) => {
  const preimage = xdrBytes(xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: hash(encoder.encode(networkPassphrase)),
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(
        new xdr.ContractIdPreimageFromAddress({ address: addressNamed(deployer), salt: new Uint8Array(32) })
      )
    })
  ))
  return (salt: Uint8Array): Uint8Array => {
    // The salt stands last.
    preimage.set(salt, preimage.length - salt.length)
    return hash(preimage)
  }
}

const idIn = (contract: string): Uint8Array => StrKey.decodeContract(contract)

const isSame = (left: Uint8Array, right: Uint8Array): boolean => left.every((byte, at) => byte === right[at])

/** A pool of a protocol by its tokens, in any order. */
export interface TokenPool {
  readonly protocol: string
  readonly tokens: ReadonlyArray<string>
}

/** The roles of a contract that is a pool of these tokens, deployed by a router or factory of the caller's book; none where it is not. */
export const deployedRoles = (
  contract: string,
  { protocol, tokens }: TokenPool,
  { contracts: { protocols }, networkPassphrase }: Pick<Expected, "contracts" | "networkPassphrase">
): ReadonlyArray<string> => {
  const deployment = Object.hasOwn(deployments, protocol) ? deployments[protocol] : undefined
  const isPool = tokens.length > 1 && [contract, ...tokens].every((one) => StrKey.isValidContract(one))
  if (deployment === undefined || !isPool) return []
  const byId = tokens.toSorted((left, right) => (latin1Of(idIn(left)) < latin1Of(idIn(right)) ? -1 : 1))
  const sorted = byId.map((token) => addressValue(token))
  const wanted = idIn(contract)
  for (const deployer of protocols[protocol]?.[deployment.by] ?? []) {
    const idUnder = idsOf(deployer, networkPassphrase)
    for (const salt of deployment.salts(sorted)) if (isSame(idUnder(salt), wanted)) return deployment.roles
  }
  return []
}
