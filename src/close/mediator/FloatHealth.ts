import type { xdr } from "@stellar/stellar-sdk"
import { Option } from "effect"
import { showAmount } from "../../domain/Amount.ts"
import type { ComponentHealth } from "../../domain/Health.ts"
import type { FloatSettings } from "../situation/FloatSettings.ts"
import { spendable } from "../situation/Holdings.ts"
import { floatOf, signsAlone } from "../situation/MediatorAccount.ts"

/** What is done about a surplus: whether it is moved by itself, and why it could not be. */
interface SweepState {
  readonly isOn: boolean
  readonly trouble: Option.Option<string>
}

const remedy = ({ isOn, trouble }: SweepState): string => {
  if (Option.isSome(trouble)) return `it could not be moved: ${trouble.value}`
  return isOn ? "it is being moved" : "run npm run mediator:sweep"
}

/**
 * How the mediator's account fares. It fails no probe: every other route continues without it, and the routes that need it say so
 * themselves.
 */
export const floatHealth = (
  account: xdr.AccountEntry | null,
  baseReserve: number,
  { max, warn }: FloatSettings["Type"],
  sweeping: SweepState
): ComponentHealth => {
  const up = (message: string): ComponentHealth => ({ status: "up", message })
  if (account === null) return up("its account does not exist: fund it with the base reserve")
  if (!signsAlone(account)) return up("its key cannot sign a payment alone")
  if (spendable(account, baseReserve) < 0n) return up("it holds less than its base reserve, so payments through it fail; fund it")
  const float = floatOf(account, baseReserve)
  if (float > max) return up(`paused: it holds ${showAmount(float)} lumens beyond its reserve; ${remedy(sweeping)}`)
  return float > warn ? up(`it holds ${showAmount(float)} lumens beyond its reserve; ${remedy(sweeping)}`) : { status: "up" }
}
