import { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asBytes, asU128, asVec, i128, symbol, u128, u32, vec } from "../../../ledger/soroban/Values.ts"
import { xdrBase64 } from "../../../xdr/XdrBytes.ts"
import { pay, take } from "../HeldTokens.ts"

const pathIsEmpty = 307

/** One swap of a chain: the tokens of a pool, its index, and the token to get. */
interface ChainLink {
  readonly tokens: ReadonlyArray<xdr.ScVal>
  readonly index: Uint8Array
  readonly bought: xdr.ScAddress
}

const linkOf = (host: ContractHost, value: xdr.ScVal): ChainLink => {
  const [tokens, index, bought, ...others] = asVec(value)
  if (tokens === undefined || index === undefined || bought === undefined || others.length > 0) return host.trap()
  return { tokens: asVec(tokens), index: asBytes(index), bought: asAddress(bought) }
}

const indexOf = (host: ContractHost, tokens: ReadonlyArray<xdr.ScVal>, token: xdr.ScAddress): xdr.ScVal => {
  const text = xdrBase64(addressVal(token))
  const at = tokens.findIndex((one) => xdrBase64(one) === text)
  return at === -1 ? host.trap() : u32(at)
}

/** The router lets the pool take so much of a token from the router itself. */
const agreeToTake = (host: ContractHost, token: xdr.ScAddress, pool: xdr.ScAddress, amount: bigint): void =>
  host.authorizeAsContract([
    new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
        new xdr.InvokeContractArgs({
          contractAddress: token,
          functionName: "transfer",
          args: [addressVal(host.address), addressVal(pool), i128(amount)]
        })
      ),
      subInvocations: []
    })
  ])

/**
 * Sells a token along a chain of pools: the router takes it, swaps in every pool as the pool's user, and pays out what the last one gave.
 * Only the last swap has a least.
 *
 * @param poolOf the pool of some tokens, which must be in their order, under an index
 */
export const swapChained = (poolOf: (host: ContractHost, tokens: ReadonlyArray<xdr.ScVal>, index: Uint8Array) => xdr.ScAddress) =>
  contractFunction(["address", "vec", "address", "u128", "u128"], (host, [user, chain, sold, amount, least]) => {
    host.requireAuth(user)
    if (chain.length === 0) host.fail(pathIsEmpty)
    take(host, sold, user, amount)
    let [token, held] = [sold, amount]
    for (const [at, value] of chain.entries()) {
      const { bought, index, tokens } = linkOf(host, value)
      const pool = poolOf(host, tokens, index)
      agreeToTake(host, token, pool, held)
      const paid = asU128(
        host.call(
          pool,
          "swap",
          addressVal(host.address),
          indexOf(host, tokens, token),
          indexOf(host, tokens, bought),
          u128(held),
          u128(at === chain.length - 1 ? least : 0n)
        )
      )
      host.emit(
        [symbol("swap"), vec(...tokens), addressVal(user)],
        vec(addressVal(pool), addressVal(token), addressVal(bought), u128(held), u128(paid))
      )
      token = bought
      held = paid
    }
    pay(host, token, user, held)
    return u128(held)
  })
