import { Schema } from "effect"
import { AccountAddress } from "./Address.ts"
import { optional } from "./OptionalField.ts"

const isDate = (text: string): boolean => {
  const parsed = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text)
}

/** A calendar day in UTC, `YYYY-MM-DD`. */
const Day = Schema.String.pipe(
  Schema.filter((text) => isDate(text) || "a date YYYY-MM-DD", { jsonSchema: { format: "date" } })
).annotations({ description: "Calendar day, UTC." })

const Evidence = Schema.Struct({
  url: Schema.String.annotations({ description: "Page that states the rule." }),
  date: Day.annotations({ description: "When a person last saw the page." })
}).annotations({ identifier: "RegistryEvidence", description: "Where and when the rule was last seen." })

/** A deposit address of an exchange and what it needs to credit a deposit. */
export const RegistryEntry = Schema.Struct({
  address: AccountAddress.annotations({ description: "The deposit address." }),
  name: Schema.String.annotations({ description: "Name of the exchange." }),
  domain: Schema.String.annotations({ description: "Internet domain of the exchange." }),
  requiresMediator: Schema.Boolean.annotations({
    description: "A merge is not credited: the lumens must arrive by payment, through the mediator."
  }),
  requiresMemo: Schema.Boolean.annotations({ description: "Without the memo it assigned, no customer is credited." }),
  memoType: Schema.Literal("text", "id", "hash", "return", "none").annotations({ description: "`none` exactly when no memo is required." }),
  muxed: optional(Schema.Boolean).annotations({
    description: "True: muxed addresses (M...) of this account are credited, by a merge too. Needs `evidence`. Left out: not known."
  }),
  evidence: optional(Evidence).annotations({
    description: "Where and when the rule was last seen."
  })
}).annotations({ identifier: "RegistryEntry", description: "An exchange deposit address and its memo rule." })
export type RegistryEntry = typeof RegistryEntry.Type

/** An address that public lists name as an exchange's. No rule is known of it, so nothing is sent there. */
export const UnverifiedAddress = Schema.Struct({
  address: AccountAddress.annotations({ description: "The address." }),
  name: Schema.String.annotations({ description: "The exchange, as the lists call it." }),
  evidence: Schema.NonEmptyArray(
    Schema.Struct({
      source: Schema.String.annotations({ description: "The list's name." }),
      url: Schema.String.annotations({ description: "Address of the list." }),
      checkedAt: Day.annotations({ description: "When the list was read." })
    }).annotations({ identifier: "ListEvidence", description: "A public list that names the address." })
  ).annotations({
    description: "The lists that name it."
  })
}).annotations({
  identifier: "UnverifiedAddress",
  description: "An address that public lists name as an exchange's, not checked by the operator."
})
export type UnverifiedAddress = typeof UnverifiedAddress.Type

/** The registry of exchange deposit addresses. Nothing may rely on it past `validUntil` (end of that day, UTC). */
export const ExchangeRegistry = Schema.Struct({
  version: Schema.String.annotations({ description: "Version of the registry file." }),
  lastVerified: Day.annotations({ description: "When a person last checked every entry." }),
  validUntil: Day.annotations({ description: "After this day (UTC) the data is unusable, not merely old." }),
  source: Schema.String.annotations({ description: "Where the data comes from." }),
  entries: Schema.Array(RegistryEntry).annotations({ description: "Addresses whose rules the operator has checked." }),
  unverified: optional(Schema.Array(UnverifiedAddress)).annotations({
    description: "Addresses that public lists name, without rules. Accounts are never closed into them. Wins over `entries`."
  })
}).annotations({ identifier: "ExchangeRegistry", description: "Exchange deposit addresses with their memo rules." })
export type ExchangeRegistry = typeof ExchangeRegistry.Type
