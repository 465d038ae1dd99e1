import { xdr } from "@stellar/stellar-sdk"
import { sha256 } from "../../../ledger/Signatures.ts"
import { contractIdOf } from "../../../ledger/soroban/ContractEntries.ts"
import { addressVal, contractAddress } from "../../../ledger/soroban/Values.ts"
import { xdrBytes } from "../../../xdr/XdrBytes.ts"
import type { SortedTokens } from "./SortedTokens.ts"

/** What tells the pairs of one factory apart: a hash of both tokens as values. */
export const pairSalt = (tokens: SortedTokens): Uint8Array => sha256(Buffer.concat(tokens.map((token) => xdrBytes(addressVal(token)))))

/** Where a factory deploys the pair of two tokens, whether it did so or not. */
export const pairAddress = (factory: xdr.ScAddress, tokens: SortedTokens, networkId: Uint8Array): xdr.ScAddress =>
  contractAddress(
    contractIdOf(
      xdr.ContractIdPreimage.contractIdPreimageFromAddress(
        new xdr.ContractIdPreimageFromAddress({ address: factory, salt: pairSalt(tokens) })
      ),
      networkId
    )
  )
