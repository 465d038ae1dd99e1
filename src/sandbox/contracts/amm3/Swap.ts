import type { xdr } from "@stellar/stellar-sdk"
import { type ContractFunction, contractFunction, type ContractHost } from "../../../ledger/soroban/Contract.ts"
import { hostFail } from "../../../ledger/soroban/HostError.ts"
import { addressVal, asAddress, asI128, asU64, field, i128, i128Max, sameAddress, string } from "../../../ledger/soroban/Values.ts"
import { ownBalance, pay, take } from "../HeldTokens.ts"
import { extendInstance } from "./ExtendedEntries.ts"
import { optional } from "./OptionalArgument.ts"
import { amountUnder, configOf, reserveAKey, reserveBKey, setAmount } from "./PoolStore.ts"
import type { PoolTraits, SwapTraits } from "./PoolTraits.ts"
import { portion, ratioOf } from "./Ratio.ts"

/** A ten thousandth, with eighteen decimals. */
const basisPoint = 10n ** 14n

const asI64 = (value: xdr.ScVal): bigint => (value.type === "scvI64" ? value.i64 : hostFail("Value", "UnexpectedType"))

/** Arithmetic of the contract: a result beyond 127 bits ends the call. */
const checked = (host: ContractHost, value: bigint): bigint => (value > i128Max ? host.trap() : value)

/** What someone asks of a swap; bounds that are left out are null. */
interface Asked {
  readonly sender: xdr.ScAddress
  readonly sold: xdr.ScAddress
  readonly amount: bigint
  readonly least: bigint | null
  /** Hundredths of a per cent. */
  readonly mostSpread: bigint | null
  /** Unix seconds; a ledger of that time is not too late. */
  readonly deadline: bigint | null
  /** Hundredths of a per cent. */
  readonly mostFee: bigint | null
}

/** What a pool gives for an amount: to the trader, to whom its fees go, and how much less than at its price before. */
const computed = (
  host: ContractHost,
  { mayBeatItsPrice }: SwapTraits,
  { amount, bought, fee, sold }: { readonly amount: bigint; readonly bought: bigint; readonly fee: bigint; readonly sold: bigint }
) => {
  const whole = bought - (sold * bought) / (sold + amount)
  const atPrice = sold === 0n ? host.trap() : (amount * bought) / sold
  if (whole > atPrice && !mayBeatItsPrice) host.trap()
  const commission = portion(whole, fee * basisPoint)
  return {
    paid: checked(host, whole - commission),
    commission: checked(host, commission),
    spread: checked(host, whole > atPrice ? 0n : atPrice - whole)
  }
}

const settingsOf = (host: ContractHost, traits: PoolTraits) => {
  const config = configOf(host, traits)
  return {
    tokens: [asAddress(field(config, "token_a")), asAddress(field(config, "token_b"))] as const,
    feeRecipient: asAddress(field(config, "fee_recipient")),
    fee: asI64(field(config, "total_fee_bps")),
    mostSpread: asI64(field(config, "max_allowed_spread_bps"))
  }
}

const emit = (host: ContractHost, what: string, data: xdr.ScVal): void => host.emit([string("swap"), string(what)], data)

/** What the contract refuses before it moves anything. */
const requireTerms = (host: ContractHost, { errors }: SwapTraits, asked: Asked, settings: ReturnType<typeof settingsOf>): bigint => {
  if (asked.mostFee !== null && asked.mostFee < settings.fee) host.fail(errors.fee)
  const { mostSpread } = asked
  if (mostSpread !== null && (mostSpread < 0n || mostSpread > settings.mostSpread)) host.fail(errors.basisPoints)
  return (mostSpread ?? settings.mostSpread) * basisPoint
}

const trade = (host: ContractHost, traits: PoolTraits, own: SwapTraits, asked: Asked): bigint => {
  const { errors } = own
  const settings = settingsOf(host, traits)
  const mostSpread = requireTerms(host, own, asked, settings)
  const [tokenA, tokenB] = settings.tokens
  const isFirst = sameAddress(asked.sold, tokenA)
  if (!isFirst && !sameAddress(asked.sold, tokenB)) host.fail(errors.token)
  const [soldKey, boughtKey] = isFirst ? [reserveAKey, reserveBKey] as const : [reserveBKey, reserveAKey] as const
  const [sold, bought] = [amountUnder(host, traits, soldKey), amountUnder(host, traits, boughtKey)]
  const { commission, paid, spread } = computed(host, own, { sold, bought, amount: asked.amount, fee: settings.fee })
  if (asked.least !== null && asked.least > paid) host.fail(errors.minimum)
  const total = checked(host, paid + commission)
  if (total === 0n) host.trap()
  checked(host, spread * 10n ** 18n)
  if (ratioOf(spread, total) > mostSpread) host.fail(errors.spread)
  const boughtToken = isFirst ? tokenB : tokenA
  const before = ownBalance(host, asked.sold)
  take(host, asked.sold, asked.sender, asked.amount)
  const received = ownBalance(host, asked.sold) - before
  pay(host, boughtToken, asked.sender, paid)
  pay(host, boughtToken, settings.feeRecipient, commission)
  setAmount(host, traits, soldKey, checked(host, sold + received))
  setAmount(host, traits, boughtKey, bought - commission - paid)
  emit(host, "sender", addressVal(asked.sender))
  emit(host, "sell_token", addressVal(asked.sold))
  emit(host, "offer_amount", i128(asked.amount))
  emit(host, "actual received amount", i128(received))
  emit(host, "buy_token", addressVal(boughtToken))
  emit(host, "return_amount", i128(paid))
  emit(host, "spread_amount", i128(spread))
  emit(host, "referral_fee_amount", i128(0n))
  return paid
}

/** `swap(sender, offer_asset, offer_amount, ask_asset_min_amount, max_spread_bps, deadline, max_allowed_fee_bps)` of pools of constant product. */
export const swap = (traits: PoolTraits, own: SwapTraits): ContractFunction =>
  contractFunction(
    ["address", "address", "i128", "value", "value", "value", "value"],
    (host, [sender, sold, amount, least, mostSpread, deadline, mostFee]) => {
      const asked: Asked = {
        sender,
        sold,
        amount,
        least: optional(host, least, asI128),
        mostSpread: optional(host, mostSpread, asI64),
        deadline: optional(host, deadline, asU64),
        mostFee: optional(host, mostFee, asI64)
      }
      if (asked.deadline !== null && host.ledger.timestamp > asked.deadline) host.fail(traits.errors.deadline)
      if (amount <= 0n) host.trap()
      host.requireAuth(sender)
      extendInstance(host)
      return i128(trade(host, traits, own, asked))
    }
  )
