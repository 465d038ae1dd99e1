import type { xdr } from "@stellar/stellar-sdk"
import type { ContractModel, Registration } from "../../../ledger/soroban/Contract.ts"
import { EXAMPLE_TOKEN, EXAMPLE_TOKEN_HASH, exampleToken } from "../ExampleToken.ts"
import { standInHash } from "../StandInHash.ts"
import { instanceOf } from "../Token.ts"
import { BOOK_TOKEN_HASH, bookToken, bookTokenStorage } from "./BookToken.ts"
import { hostileToken } from "./HostileToken.ts"
import { OPEN_ZEPPELIN_TOKEN_HASH, openZeppelinStorage, openZeppelinToken } from "./OpenZeppelinToken.ts"
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
export const TOKEN_FAMILIES = {
  example: {
    model: exampleToken,
    code: EXAMPLE_TOKEN_HASH,
    hostileCode: standInHash("hostile token of soroban-examples"),
    storage: (token) => instanceOf(EXAMPLE_TOKEN, token)
  },
  open_zeppelin: {
    model: openZeppelinToken,
    code: OPEN_ZEPPELIN_TOKEN_HASH,
    hostileCode: standInHash("hostile token of OpenZeppelin's library"),
    storage: openZeppelinStorage
  },
  book: {
    model: bookToken,
    code: BOOK_TOKEN_HASH,
    hostileCode: standInHash("hostile token that keeps all balances in one entry"),
    storage: bookTokenStorage
  }
} as const satisfies Readonly<Record<string, TokenFamily>>

export type TokenFamilyName = keyof typeof TOKEN_FAMILIES

/** Every token contract, honest and hostile. */
export const TOKEN_CONTRACTS: ReadonlyArray<Registration> = Object.values(TOKEN_FAMILIES).flatMap(({ code, hostileCode, model }) => [
  { model, wasmHashes: [code] },
  { model: hostileToken(model), wasmHashes: [hostileCode] }
])
