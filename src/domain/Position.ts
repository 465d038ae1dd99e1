import { Schema } from "effect"
import { AccountAddress, ContractAddress } from "./Address.ts"
import { IntegerText } from "./Amount.ts"
import { Network } from "./Network.ts"

/** The protocols whose positions the service knows by name. */
export const ProtocolName = Schema.Literal("lend_1", "amm_1", "amm_2", "amm_3", "cdp_1").annotations({ identifier: "ProtocolName" })
export type ProtocolName = typeof ProtocolName.Type

/** A position in words and in the asset's own units. */
export const DefiPositionDisplay = Schema.Struct({
  pool: Schema.NullOr(Schema.String),
  asset: Schema.NullOr(Schema.String).annotations({ description: "For a liquidity position the pair." }),
  amount: Schema.NullOr(Schema.String).annotations({ description: "Underlying amount in the asset's own units, decimal, not shares." }),
  collateralAmount: Schema.NullOr(Schema.String).annotations({ description: "The part of `amount` posted as collateral." }),
  yieldPct: Schema.NullOr(Schema.String).annotations({ description: "Percentage with two decimals." }),
  yieldKind: Schema.NullOr(Schema.Literal("earned", "paid")),
  detail: Schema.optionalWith(Schema.NullOr(Schema.String), { exact: true }).annotations({ description: "One protocol-specific closing clause." })
}).annotations({ identifier: "DefiPositionDisplay" })

const common = {
  contractAddress: ContractAddress.annotations({ description: "The pool, market or vault that holds the position." }),
  display: Schema.optionalWith(DefiPositionDisplay, { exact: true }),
  wasmHash: Schema.optionalWith(Schema.String, { exact: true }),
  usdValue: Schema.NullOr(Schema.String)
}

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const Supply = Schema.Struct({
  protocol: Schema.Literal("lend_1"),
  positionType: Schema.Literal("supply"),
  ...common,
  assetAddress: ContractAddress,
  bTokenAmount: IntegerText,
  isBackstop: optional(Schema.Boolean)
}).annotations({ identifier: "SupplyPosition" })

const Borrow = Schema.Struct({
  protocol: Schema.Literal("lend_1"),
  positionType: Schema.Literal("borrow"),
  ...common,
  assetAddress: ContractAddress,
  dTokenAmount: IntegerText,
  healthFactor: optional(Schema.String).annotations({
    description: "Of everything the account has in the pool: collateral over debt as the pool weighs them, decimal, under 1 it may be liquidated. Absent while the pool's oracle gives no fresh price."
  })
}).annotations({ identifier: "BorrowPosition" })

const PoolLiquidity = Schema.Struct({
  protocol: Schema.Literal("amm_1"),
  positionType: Schema.Literal("lp"),
  ...common,
  shareAmount: IntegerText,
  claimableRewardAmount: optional(IntegerText),
  tokens: optional(Schema.Array(ContractAddress)),
  shareToken: optional(ContractAddress),
  poolType: optional(Schema.Literal("constant_product", "stable", "concentrated"))
}).annotations({ identifier: "PoolLiquidityPosition" })

const PairLiquidity = Schema.Struct({
  protocol: Schema.Literal("amm_2"),
  positionType: Schema.Literal("lp"),
  ...common,
  shareAmount: IntegerText,
  tokens: optional(Schema.Array(ContractAddress))
}).annotations({ identifier: "PairLiquidityPosition" })

const Liquidity = Schema.Struct({
  protocol: Schema.Literal("amm_3"),
  positionType: Schema.Literal("lp"),
  ...common,
  shareAmount: IntegerText
}).annotations({ identifier: "LiquidityPosition" })

const Stake = Schema.Struct({
  protocol: Schema.Literal("amm_3"),
  positionType: Schema.Literal("stake"),
  ...common,
  stakedAmount: IntegerText,
  stakedAtEpoch: IntegerText.annotations({ description: "Unix seconds; unbonding needs the original stake time." })
}).annotations({ identifier: "StakePosition" })

const DebtPosition = Schema.Struct({
  protocol: Schema.Literal("cdp_1"),
  positionType: Schema.Literal("cdp"),
  ...common,
  denomination: Schema.String,
  collateralAmount: IntegerText,
  debtAmount: IntegerText
}).annotations({ identifier: "DebtPosition" })

/** One position in a protocol, in one of seven shapes. */
export const DefiPosition = Schema.Union(Supply, Borrow, PoolLiquidity, PairLiquidity, Liquidity, Stake, DebtPosition)
export type DefiPosition = typeof DefiPosition.Type

/** Something held in a protocol that the service could not make sense of. It blocks the close. */
export const UnrecognizedDefiPosition = Schema.Struct({
  protocol: ProtocolName,
  rawType: Schema.String,
  reason: Schema.String
}).annotations({ identifier: "UnrecognizedDefiPosition" })

const Slice = Schema.Struct({
  ledgerKeys: Schema.Array(Schema.String).annotations({ description: "Base64 LedgerKey." }),
  contracts: Schema.Array(Schema.String),
  contractsAsOf: Schema.optionalWith(Schema.String, { exact: true }).annotations({
    description: "Where contracts are found rather than configured: close time of the ledger in which they were looked for, ISO 8601. One opened since is not among them."
  })
}).annotations({ identifier: "DefiSlice", description: "What to read to see the same positions." })

/** How the service read, and what a caller must read to see the same. */
export const DefiQueryKeys = Schema.Struct({
  rpcEndpoints: Schema.Array(
    Schema.Struct({
      url: Schema.String.annotations({ description: "Origin only." }),
      health: Schema.Literal("healthy", "degraded", "down"),
      avgLatencyMs: Schema.Number
    })
  ),
  rpcPolicy: Schema.Struct({
    maxKeysPerCall: Schema.Number,
    recommendedConcurrency: Schema.Number,
    backoffOn429Ms: Schema.Array(Schema.Number),
    timeoutMs: Schema.Number
  }),
  slices: Schema.Record({ key: Schema.String, value: Slice }).annotations({ description: "Keyed by protocol; only protocols that were read." })
}).annotations({ identifier: "DefiQueryKeys" })
export type DefiQueryKeys = typeof DefiQueryKeys.Type

/** How fresh position data is: `not-tracked` means no decoder is configured, never that nothing is held. */
export const PositionSource = Schema.Literal("snapshot", "empty", "cache", "not-tracked").annotations({ identifier: "PositionSource" })

/** Every DeFi position of an account. */
export const DefiPositionsResult = Schema.Struct({
  address: AccountAddress,
  network: Network,
  positions: Schema.Array(DefiPosition),
  unrecognizedPositions: Schema.Array(UnrecognizedDefiPosition),
  enrichment: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      symbol: Schema.NullOr(Schema.String),
      decimals: Schema.NullOr(Schema.Int),
      priceLumens: Schema.NullOr(Schema.String),
      priceSource: Schema.NullOr(Schema.Literal("pool"))
    })
  }).annotations({ description: "Keyed by asset or contract address." }),
  source: PositionSource,
  timestamp: Schema.NullOr(Schema.String).annotations({ description: "Close time of the ledger that was read, ISO 8601." }),
  queryKeys: DefiQueryKeys
}).annotations({ identifier: "DefiPositionsResult", description: "Positions in the five protocols." })
export type DefiPositionsResult = typeof DefiPositionsResult.Type
