import { Schema } from "effect"
import { AuthorizationGranted } from "./AuthorizationGranted.ts"
import { AuthorizationRevoked } from "./AuthorizationRevoked.ts"
import { BalanceClawedBack } from "./BalanceClawedBack.ts"
import { EntryArchived } from "./EntryArchived.ts"
import { OfferCrossed } from "./OfferCrossed.ts"
import { PaymentReceived } from "./PaymentReceived.ts"
import { ReserveRaised } from "./ReserveRaised.ts"

/** What others on the network may do while an account is being closed. */
export const NetworkEvent = Schema.Union(
  AuthorizationGranted,
  AuthorizationRevoked,
  BalanceClawedBack,
  EntryArchived,
  OfferCrossed,
  PaymentReceived,
  ReserveRaised
)
export type NetworkEvent = typeof NetworkEvent.Type
