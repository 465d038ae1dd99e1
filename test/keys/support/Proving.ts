import { type Keypair, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { ErrorBody, TestService } from "../../support/TestService.ts"

export interface Challenge {
  readonly transaction: string
  readonly networkPassphrase: string
  readonly expiresAt: string
}

export interface Opened {
  readonly token: string
  readonly expiresAt: string
}

/** A request without a token: it sends none of the service's own key. */
const anonymous = { authorization: "" }

/** Pages with sessions of their own. */
type Page = "keys" | "close"

/** The challenge for an address. */
export const challengeFor = ({ call }: TestService, address: string, page: Page = "keys") =>
  Effect.map(call<Challenge>("POST", `/${page}/challenge`, { network: "testnet", address }, anonymous), ({ body }) => body)

/** A challenge with more signatures. */
export const signedBy = ({ networkPassphrase, transaction }: Challenge, ...signers: ReadonlyArray<Keypair>): string => {
  const made = TransactionBuilder.fromXdr(transaction, networkPassphrase)
  made.sign(...signers)
  return made.toEnvelope().toXdr("base64")
}

/** The service's answer to a signed challenge. */
export const sessionFor = ({ call }: TestService, transaction: string, page: Page = "keys") =>
  call<Opened & ErrorBody>("POST", `/${page}/session`, { network: "testnet", transaction }, anonymous)

const sessionOn = (page: Page) => (service: TestService, address: string, ...signers: ReadonlyArray<Keypair>) =>
  Effect.gen(function*() {
    const { body, status } = yield* sessionFor(service, signedBy(yield* challengeFor(service, address, page), ...signers), page)
    return status === 200 ? body : yield* Effect.dieMessage(`no session: ${JSON.stringify(body)}`)
  })

/** The session of an address's signer, on the page of keys. */
export const openedBy = sessionOn("keys")

/** The session of the signer of a closing account. */
export const closingBy = sessionOn("close")

/** A bearer in place of the service's own key. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
