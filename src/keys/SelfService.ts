import type { SqlClient } from "@effect/sql"
import { Transaction, WebAuth } from "@stellar/stellar-sdk"
import { Clock, Context, Effect, Either, Layer, type Option, Redacted, Schema } from "effect"
import { AccountAddress } from "../domain/Address.ts"
import { InvalidTransaction } from "../domain/failure/Input.ts"
import { ChallengeRefused } from "../domain/failure/Request.ts"
import { BadSignatures } from "../domain/failure/Submitting.ts"
import type { KeyStoreUnavailable } from "../domain/failure/Upstream.ts"
import { showMillis } from "../domain/Instant.ts"
import type { Network } from "../domain/Network.ts"
import type { SigningRule } from "./AccountSigners.ts"
import { type CloseSession, closeSessionEnd, closeSessionOf, closeToken } from "./CloseToken.ts"
import { ServerIdentity } from "./ServerIdentity.ts"
import { type Session, sessionMillis, sessionOf, sessionToken } from "./SessionToken.ts"
import { usedChallenges } from "./UsedChallenges.ts"

/** How long a challenge may be signed, in seconds. The SDK would take it for five minutes more. */
const challengeSeconds = 900

/** Which network, and the passphrase that its signatures sign. */
export interface Where {
  readonly network: Network
  readonly passphrase: string
}

interface Read {
  readonly transaction: Transaction
  readonly address: AccountAddress
}

const isAccount = Schema.is(AccountAddress)

const endOf = ({ timeBounds }: Transaction): number => Number(timeBounds?.maxTime ?? 0) * 1000

/** Anything but a plain transaction is no challenge at all. */
const decoded = (text: string, passphrase: string): Either.Either<Transaction, InvalidTransaction> =>
  Either.try({
    try: () => new Transaction(text, passphrase),
    catch: () => new InvalidTransaction({ reason: "Send the signed challenge as it came from the wallet, in base64." })
  })

/** What the SDK throws is a refusal, and nothing it says is repeated. */
const attempt = <A>(work: () => A): Either.Either<A, ChallengeRefused> => Either.try({ try: work, catch: () => new ChallengeRefused() })

/**
 * How a person gets a session without the operator: they sign a challenge with the keys of an account (SEP-10, by the SDK's own functions).
 * A challenge cannot be submitted to any network, and is good for one session.
 */
export class SelfService extends Context.Tag("closeout/keys/SelfService")<SelfService, {
  /** A challenge for that account, to be signed within a quarter of an hour. */
  readonly challenge: (where: Where, address: AccountAddress) => Effect.Effect<
    { readonly transaction: string; readonly expiresAt: string },
    KeyStoreUnavailable
  >
  /** The account that a challenge of this service names. Fails when it is none of ours, or too old. */
  readonly accountOf: (where: Where, transaction: string) => Effect.Effect<
    AccountAddress,
    InvalidTransaction | ChallengeRefused | KeyStoreUnavailable
  >
  /** Opens a session for that account's challenge, signed as its rule asks. Fails when it is not, or when the challenge was used before. */
  readonly open: (where: Where, transaction: string, rule: SigningRule) => Effect.Effect<
    { readonly token: string; readonly expiresAt: string },
    InvalidTransaction | ChallengeRefused | BadSignatures | KeyStoreUnavailable
  >
  /** The session of a token; none when there is none, or it is over. */
  readonly session: (token: Redacted.Redacted) => Effect.Effect<Option.Option<Session>, KeyStoreUnavailable>
  /**
   * Opens a session of the page `/close` for that account's challenge. One signer of any positive weight suffices: nothing private is read,
   * and what is submitted needs its signatures as always.
   */
  readonly openClose: (where: Where, transaction: string, rule: SigningRule) => Effect.Effect<
    { readonly token: string; readonly expiresAt: string },
    InvalidTransaction | ChallengeRefused | BadSignatures | KeyStoreUnavailable
  >
  /** The session of a token of the page `/close`; none when it is of another kind, or over. */
  readonly closeSession: (token: Redacted.Redacted) => Effect.Effect<Option.Option<CloseSession>, KeyStoreUnavailable>
}>() {
  static readonly layer: Layer.Layer<SelfService, never, ServerIdentity | SqlClient.SqlClient> = Layer.scoped(
    SelfService,
    Effect.gen(function*() {
      const { domain, secrets } = yield* ServerIdentity
      const used = yield* usedChallenges

      const read = (server: string, passphrase: string, text: string): Either.Either<Read, InvalidTransaction | ChallengeRefused> =>
        Either.gen(function*() {
          yield* decoded(text, passphrase)
          const { clientAccountID, memo, tx } = yield* attempt(() => WebAuth.readChallengeTx(text, server, passphrase, domain, domain))
          // By the clock that the SDK reads as well.
          return isAccount(clientAccountID) && memo === null && Date.now() < endOf(tx)
            ? { transaction: tx, address: clientAccountID }
            : yield* Either.left(new ChallengeRefused())
        })

      /** Signatures of signers count; enough of them open a session, too few are reported, and any other one is refused. */
      const checked = (server: string, passphrase: string, text: string, { signers, threshold }: SigningRule) =>
        Either.gen(function*() {
          const { address, transaction } = yield* read(server, passphrase, text)
          const keys = signers.map(({ key }) => key)
          const found = yield* attempt(() => WebAuth.verifyChallengeTxSigners(text, server, passphrase, keys, domain, domain))
          const present = signers.filter(({ key }) => found.includes(key)).reduce((sum, { weight }) => sum + weight, 0)
          if (present >= threshold) return { address, transaction }
          const needed = [{ account: address, requiredWeight: threshold, presentWeight: present }]
          return yield* Either.left(new BadSignatures({ needed, unused: 0 }))
        })

      /** The account that a challenge proves, once. */
      const proved = ({ passphrase }: Where, text: string, rule: SigningRule) =>
        Effect.gen(function*() {
          const { keypair, sessionKey } = yield* secrets
          const { address, transaction } = yield* checked(keypair().publicKey(), passphrase, text, rule)
          const isFirst = yield* used.use(Buffer.from(transaction.hash()).toString("hex"), endOf(transaction))
          if (!isFirst) return yield* new ChallengeRefused()
          return { address, sessionKey, now: yield* Clock.currentTimeMillis }
        })

      return SelfService.of({
        challenge: ({ passphrase }, address) =>
          Effect.map(secrets, ({ keypair }) => {
            const transaction = WebAuth.buildChallengeTx(keypair(), address, domain, challengeSeconds, passphrase, domain)
            const { tx } = WebAuth.readChallengeTx(transaction, keypair().publicKey(), passphrase, domain, domain)
            return { transaction, expiresAt: showMillis(endOf(tx)) }
          }),
        accountOf: ({ passphrase }, text) =>
          Effect.flatMap(secrets, ({ keypair }) => Either.map(read(keypair().publicKey(), passphrase, text), ({ address }) => address)),
        open: (where, text, rule) =>
          Effect.map(proved(where, text, rule), ({ address, now, sessionKey }) => {
            const expiresAt = now + sessionMillis
            const session: Session = { network: where.network, address, issuedAt: now, expiresAt }
            return { token: sessionToken(sessionKey, session), expiresAt: showMillis(expiresAt) }
          }),
        openClose: (where, text, rule) =>
          Effect.map(proved(where, text, { ...rule, threshold: 1 }), ({ address, now, sessionKey }) => {
            const exp = closeSessionEnd(now)
            return { token: closeToken(sessionKey, { network: where.network, source: address, exp }), expiresAt: showMillis(exp * 1000) }
          }),
        session: (token) =>
          Effect.zipWith(
            secrets,
            Clock.currentTimeMillis,
            ({ sessionKey }, now) => sessionOf(sessionKey, Redacted.value(token), now)
          ),
        closeSession: (token) =>
          Effect.zipWith(
            secrets,
            Clock.currentTimeMillis,
            ({ sessionKey }, now) => closeSessionOf(sessionKey, Redacted.value(token), now)
          )
      })
    })
  )
}
