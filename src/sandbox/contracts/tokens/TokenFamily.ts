import type { xdr } from "@stellar/stellar-sdk"
import type { ContractModel } from "../../../ledger/soroban/Contract.ts"
import { EXAMPLE_TOKEN, EXAMPLE_TOKEN_HASH, exampleToken } from "../ExampleToken.ts"
import { instanceOf } from "../Token.ts"
import { BOOK_TOKEN_HASH, bookToken, bookTokenStorage } from "./BookToken.ts"
import { OPEN_ZEPPELIN_TOKEN_HASH, openZeppelinStorage, openZeppelinToken } from "./OpenZeppelinToken.ts"
import type { TokenIdentity } from "./TokenIdentity.ts"

/** Tokens that keep their books in one way. */
export interface TokenFamily {
  readonly model: ContractModel
  /** Hash of the code, hex. */
  readonly code: string
  /** Instance storage of a token nothing of which is out yet. */
  readonly storage: (token: TokenIdentity) => ReadonlyArray<readonly [key: xdr.ScVal, val: xdr.ScVal]>
}

/**
 * `example`: soroban-examples, allowances under from and spender with `expiration_ledger`. `open_zeppelin`: OpenZeppelin's library, under
 * owner and spender with `live_until_ledger`. `book`: nothing but the token's functions tells a balance or an allowance.
 */
export const TOKEN_FAMILIES = {
  example: { model: exampleToken, code: EXAMPLE_TOKEN_HASH, storage: (token) => instanceOf(EXAMPLE_TOKEN, token) },
  open_zeppelin: { model: openZeppelinToken, code: OPEN_ZEPPELIN_TOKEN_HASH, storage: openZeppelinStorage },
  book: { model: bookToken, code: BOOK_TOKEN_HASH, storage: bookTokenStorage }
} as const satisfies Readonly<Record<string, TokenFamily>>

export type TokenFamilyName = keyof typeof TOKEN_FAMILIES
