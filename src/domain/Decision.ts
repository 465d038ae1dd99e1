import { Schema } from "effect"
import { AccountAddress, ContractAddress } from "./Address.ts"
import { Amount } from "./Amount.ts"
import { AssetId } from "./Asset.ts"
import { Choice, ChoiceEffect, type KeepingChoice, type LosingChoice } from "./ChoiceEffect.ts"
import { sellable } from "./ConversionPath.ts"
import { DecisionAbout } from "./DecisionAbout.ts"
import { DestinationAddress } from "./DestinationAddress.ts"
import { Int, oneOf } from "./Leaf.ts"
import { LedgerGap } from "./LedgerGap.ts"
import { optional } from "./OptionalField.ts"
import { Price } from "./Price.ts"
import { ProtocolName } from "./ProtocolName.ts"
import { ValueItem } from "./Value.ts"

/** Ids that an answer about what strangers give may name. */
export const mostGiftIds = 4_000

const giftIds = (pattern: RegExp) =>
  Schema.Array(Schema.String.pipe(Schema.maxLength(256), Schema.pattern(pattern))).pipe(Schema.maxItems(mostGiftIds))

const position = "position:[a-z0-9_]+:C[A-Z2-7]{55}:.+"

/** Decisions about claimable balances, positions and tokens. */
export const GiftIds = giftIds(new RegExp(`^(claim:[0-9a-f]{72}|token:C[A-Z2-7]{55}|${position})$`))
/** Decisions about positions, or about assets. */
const GroupedIds = giftIds(new RegExp(`^(${position}|asset:[A-Za-z0-9]{1,12}-G[A-Z2-7]{55})$`))

const SequenceText = Schema.String.pipe(Schema.pattern(/^(0|[1-9][0-9]{0,18})$/))

/** What an answer may carry: floors, maxima and destinations. The option of a choice states which of them it needs. */
export const DecisionParams = Schema.Struct({
  minReceive: optional(Amount).annotations({
    description: "Lumens that a conversion must bring at least, for the whole amount."
  }),
  amount: optional(Schema.String).annotations({
    description: "What `minReceive` was made for. For a part of it the floor is the same part of `minReceive`, rounded up."
  }),
  maxSlippageBps: optional(Int.pipe(Schema.between(1, 5000))).annotations({
    description: "Largest slippage of this conversion or exit, in basis points."
  }),
  acceptPriceImpactBps: optional(Int.pipe(Schema.between(1, 10_000))).annotations({
    description:
      "In place of `minReceive`: the largest price impact at which a conversion is made, in basis points. With a larger one the build answers `quote_drifted`."
  }),
  maxAmount: optional(Schema.String).annotations({
    description:
      "The most that may be given away. If more is there, the build answers `plan_changed`. Decimal for classic assets, base units for tokens, base units of its shares or collateral for a position."
  }),
  destination: optional(DestinationAddress).annotations({
    description: "The address that a transfer pays: an account (G...), or, for a classic asset, an id behind one (M...)."
  }),
  spendAsset: optional(AssetId).annotations({ description: "What to buy the missing part of a debt with." }),
  maxSpend: optional(Amount).annotations({
    description: "The most of `spendAsset` that buying may take. At a higher price the build answers `quote_drifted`."
  }),
  sequence: optional(SequenceText).annotations({
    description:
      "The account's sequence number at the plan (`snapshot.sequence`). With a purchase: what was bought since is taken from `maxSpend`."
  }),
  maxLumens: optional(Amount).annotations({
    description: "The most lumens that the choice may pay to others. If more is needed, the build answers `plan_changed`."
  }),
  maxResourceFee: optional(Amount).annotations({
    description:
      "The most lumens, up to 500, that the call of a position, a token or an allowance may declare as its resource fee. Needed above the operator's own limit."
  }),
  maxCount: optional(Schema.NonNegativeInt).annotations({
    description: "The most claimable balances, tokens, positions or assets that may be given up together."
  }),
  unreadable: optional(Schema.Literal(true)).annotations({
    description: "Of a token whose balance cannot be read: the whole balance stays behind."
  }),
  atLeast: optional(Schema.NonNegativeInt).annotations({
    description: "Claimable balances that must have been listed when their list was not read to its end."
  }),
  ledger: optional(Int.pipe(Schema.positive())).annotations({
    description: "What came after this ledger is left behind."
  }),
  had: optional(GiftIds).annotations({
    description:
      "The claimable balances, positions and tokens that the plan saw, by the ids of their decisions. None of them counts as having come later."
  }),
  ids: optional(GroupedIds).annotations({
    description: "The positions or assets that an answer for several covers, by the ids of their decisions. It covers no other."
  }),
  maxLumensEach: optional(Amount).annotations({
    description:
      "What is quoted at more lumens than this is not left behind unasked. Only quotes in lumens, or for assets and tokens of the token list, count."
  }),
  newSponsor: optional(AccountAddress).annotations({
    description: "The account that takes over the reserve of the entry."
  }),
  contracts: optional(Schema.Array(ContractAddress).pipe(Schema.maxItems(10_000))).annotations({
    description: "The contracts that may stay unread, sorted. If another one cannot be read, the build answers `plan_changed`."
  }),
  gap: optional(Schema.NullOr(LedgerGap)).annotations({
    description:
      "Ledgers that may stay unscanned for deployed contracts or arrived tokens. Null: none. If the gap is larger, the build answers `plan_changed`."
  })
}).annotations({
  identifier: "DecisionParams",
  description: "Floors, maxima and destinations of an answer. Which of them a choice needs is in its option."
})
export type DecisionParams = typeof DecisionParams.Type

/** A caller's answer to a decision point. */
export const Decision = Schema.Struct({
  id: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(256)).annotations({ description: "The `id` of the decision point." }),
  choice: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(64)).annotations({
    description: "The `id` of one of its options.",
    jsonSchema: { $ref: "#/components/schemas/Choice" }
  }),
  params: optional(DecisionParams)
}).annotations({ identifier: "Decision", description: "An answer: echo an option of the decision point." })
export type Decision = typeof Decision.Type

/** A conversion quote shown with an option. */
export const Quote = Schema.Struct({
  receive: Amount.annotations({ description: "Lumens the conversion would bring now." }),
  path: Schema.Array(Schema.Union(AssetId, ContractAddress).annotations(sellable)).annotations({
    description: "What is traded on the way; what is no asset of the ledger by its contract."
  }),
  source: optional(ProtocolName).annotations({
    description: "The protocol through whose pools it goes; left out: the exchange of the ledger."
  }),
  ledger: optional(Int).annotations({
    description: "The ledger whose books it rests on; up to a minute old."
  }),
  bestPrice: Price.annotations({
    description:
      "Lumens for one unit, of a token for one base unit, along the same route. It is the price between the first hundredth and the first tenth of the amount."
  }),
  priceImpactBps: Int.annotations({
    description:
      "Basis points by which the average price beyond the first hundredth is below `bestPrice`. At least 5001 where the last nine tenths bring less than a third of the lumens."
  }),
  feeLumens: optional(Amount).annotations({
    description: "What the call costs, where contracts sell: as simulated, else an estimate."
  })
}).annotations({ identifier: "Quote", description: "What a conversion brings now." })
export type Quote = typeof Quote.Type

/** What an option says besides its choice. */
const optionFields = {
  note: optional(Schema.String).annotations({ description: "What it means, in words." }),
  quote: optional(Quote).annotations({ description: "What the conversion brings now." }),
  params: optional(DecisionParams).annotations({ description: "Filled in, ready to be sent back." })
}

type OptionFields = Schema.Struct.Type<typeof optionFields>

/** One way to answer that costs the owner nothing. */
export interface KeepingOption extends OptionFields {
  readonly id: KeepingChoice
  readonly recommended?: boolean
  readonly loses?: never
}

/** One way to answer that costs the owner something: it says what, and is never recommended. */
interface LosingOption extends OptionFields {
  readonly id: LosingChoice
  readonly recommended?: never
  /** Empty only where nothing of it can be known. */
  readonly loses: ReadonlyArray<ValueItem>
}

/** One way to answer. `params` are filled in, ready to be sent back. */
export type DecisionOption = KeepingOption | LosingOption

/** An option as a plan offers it. */
export const OfferedOption = Schema.Struct({
  id: Choice.annotations({ description: "The choice to send back." }),
  effect: ChoiceEffect,
  recommended: optional(Schema.Boolean).annotations({
    description: "True for at most one option of a point; never for one with `loses`."
  }),
  ...optionFields,
  loses: optional(Schema.Array(ValueItem)).annotations({
    description:
      "What the owner gives up or pays, as of the plan. Present exactly where `effect` is `destroys`, `leaves_behind`, `gives_up_rewards` or `pays_others`. Empty only where nothing of it can be known: what is not there yet or cannot be read. Of many at most 20, the dearest first."
  }),
  needs: Schema.Array(Schema.String).annotations({
    description: "Params you must add. With none, sending the option back as it is will be accepted."
  })
}).annotations({
  identifier: "DecisionOption",
  description: "One way to answer. Options that destroy something or leave it behind come last."
})
export type OfferedOption = typeof OfferedOption.Type

/** The kind of thing a decision is about; the first part of its id. */
export const DecisionType = oneOf([
  "destination",
  "asset",
  "assets",
  "token",
  "tokens",
  "claim",
  "claims",
  "claims_unread",
  "later",
  "position",
  "positions",
  "positions_unread",
  "pool",
  "allowance",
  "issuer",
  "sponsorship"
], {
  identifier: "DecisionType",
  description:
    "`assets`: several that nothing is known to buy, together. `later`: what strangers add while the close is under way. `claims_unread`: more claimable balances than could be listed. `position`: how something held in a protocol is left. `positions`: many that others gave, together. `tokens`: many tokens that strangers sent, together. `positions_unread`: something in a protocol that cannot be read, and can only be given up."
})
export type DecisionType = typeof DecisionType.Type

const pointFields = {
  id: Schema.String.annotations({ description: "What an answer refers to." }),
  type: DecisionType,
  subject: Schema.String.annotations({ description: "What it is about, in words." }),
  required: Schema.Boolean.annotations({ description: "Nothing is built until it is answered." }),
  answered: Schema.Boolean.annotations({ description: "An answer of this request settles it." })
}

/** A question only the account's owner can answer. */
export interface DecisionPoint extends Schema.Struct.Type<typeof pointFields> {
  readonly options: ReadonlyArray<DecisionOption>
  readonly about: DecisionAbout
  /** The choice taken without an answer; null: none is. */
  readonly default: KeepingChoice | null
}

/** A decision point as a plan shows it. */
export const OfferedPoint = Schema.Struct({
  ...pointFields,
  about: DecisionAbout,
  options: Schema.Array(OfferedOption).annotations({ description: "The ways to answer." }),
  default: Schema.NullOr(Choice).annotations({
    description: "The choice taken without an answer, never one with `loses`. Null: none is."
  })
}).annotations({ identifier: "DecisionPoint", description: "A question only the account's owner can answer." })
export type OfferedPoint = typeof OfferedPoint.Type
