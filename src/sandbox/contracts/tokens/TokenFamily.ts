import type { xdr } from "@stellar/stellar-sdk"
import type { ContractModel, Registration } from "../../../ledger/soroban/Contract.ts"
import { exampleToken, exampleTokenHash, exampleTokenTraits } from "../ExampleToken.ts"
import { standInHash } from "../StandInHash.ts"
import { instanceOf } from "../Token.ts"
import { bookToken, bookTokenHash, bookTokenStorage } from "./BookToken.ts"
import { hostileToken } from "./HostileToken.ts"
import { openZeppelinStorage, openZeppelinToken, openZeppelinTokenHash } from "./OpenZeppelinToken.ts"
import type { TokenIdentity } from "./TokenIdentity.ts"

/** Tokens that keep their books in one way. */
export interface TokenFamily {
  readonly model: ContractModel
  /** Hash of the code, hex. */
  readonly code: string
  /** Hash of the code of one that may do what an honest token does not, hex. */
  readonly hostileCode: string
  /** Instance storage of a token nothing of which is out yet. */
  readonly storage: (token: TokenIdentity) => ReadonlyArray<readonly [key: xdr.ScVal, val: xdr.ScVal]>
}

/**
 * `example`: soroban-examples, allowances under from and spender with `expiration_ledger`. `open_zeppelin`: OpenZeppelin's library, under
 * owner and spender with `live_until_ledger`. `book`: nothing but the token's functions tells a balance or an allowance.
 */
export const tokenFamilies = {
  example: {
    model: exampleToken,
    code: exampleTokenHash,
    hostileCode: standInHash("hostile token of soroban-examples"),
    storage: (token) => instanceOf(exampleTokenTraits, token)
  },
  open_zeppelin: {
    model: openZeppelinToken,
    code: openZeppelinTokenHash,
    hostileCode: standInHash("hostile token of OpenZeppelin's library"),
    storage: openZeppelinStorage
  },
  book: {
    model: bookToken,
    code: bookTokenHash,
    hostileCode: standInHash("hostile token that keeps all balances in one entry"),
    storage: bookTokenStorage
  }
} as const satisfies Readonly<Record<string, TokenFamily>>

export type TokenFamilyName = keyof typeof tokenFamilies

/** Every token contract, honest and hostile. */
export const tokenContracts: ReadonlyArray<Registration> = Object.values(tokenFamilies).flatMap(({ code, hostileCode, model }) => [
  { model, wasmHashes: [code] },
  { model: hostileToken(model), wasmHashes: [hostileCode] }
])
