import { Schema } from "effect"
import { AuthorizationGranted } from "./AuthorizationGranted.ts"
import { AuthorizationRevoked } from "./AuthorizationRevoked.ts"
import { BalanceClawedBack } from "./BalanceClawedBack.ts"
import { EntryArchived } from "./EntryArchived.ts"
import { OfferCrossed } from "./OfferCrossed.ts"
import { PaymentReceived } from "./PaymentReceived.ts"
import { ReserveRaised } from "./ReserveRaised.ts"
import { SpenderApproved } from "./SpenderApproved.ts"
import { TokenMinted } from "./TokenMinted.ts"
import { TokenSent } from "./TokenSent.ts"

/** What others on the network may do while an account is being closed. */
export const NetworkEvent = Schema.Union(
  AuthorizationGranted,
  AuthorizationRevoked,
  BalanceClawedBack,
  EntryArchived,
  OfferCrossed,
  PaymentReceived,
  ReserveRaised,
  SpenderApproved,
  TokenMinted,
  TokenSent
)
export type NetworkEvent = typeof NetworkEvent.Type
