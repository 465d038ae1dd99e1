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

/** Nobody's token: whoever asks sends none of the service's own key. */
const anonymous = { authorization: "" }

/** The challenge for an address. */
export const challengeFor = ({ call }: TestService, address: string) =>
  Effect.map(call<Challenge>("POST", "/keys/challenge", { network: "testnet", address }, anonymous), ({ body }) => body)

/** A challenge with more signatures. */
export const signedBy = ({ networkPassphrase, transaction }: Challenge, ...signers: ReadonlyArray<Keypair>): string => {
  const made = TransactionBuilder.fromXdr(transaction, networkPassphrase)
  made.sign(...signers)
  return made.toEnvelope().toXdr("base64")
}

/** What the service says to a signed challenge. */
export const sessionFor = ({ call }: TestService, transaction: string) =>
  call<Opened & ErrorBody>("POST", "/keys/session", { network: "testnet", transaction }, anonymous)

/** The session of who signs for an address. */
export const openedBy = (service: TestService, address: string, ...signers: ReadonlyArray<Keypair>) =>
  Effect.gen(function*() {
    const { body, status } = yield* sessionFor(service, signedBy(yield* challengeFor(service, address), ...signers))
    return status === 200 ? body : yield* Effect.dieMessage(`no session: ${JSON.stringify(body)}`)
  })

/** A bearer in place of the service's own key. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
