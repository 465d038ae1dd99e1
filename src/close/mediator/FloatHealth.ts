import type { xdr } from "@stellar/stellar-sdk"
import { showAmount } from "../../domain/Amount.ts"
import type { ComponentHealth } from "../../domain/Health.ts"
import type { FloatSettings } from "../FloatSettings.ts"
import { spendable } from "../Holdings.ts"
import { floatOf, signsAlone } from "../MediatorAccount.ts"

/**
 * How the mediator's account fares. It fails no probe: every other route goes on without it, and the routes that need it say so
 * themselves.
 */
export const floatHealth = (account: xdr.AccountEntry | null, baseReserve: number, { max, warn }: FloatSettings["Type"]): ComponentHealth => {
  const up = (message: string): ComponentHealth => ({ status: "up", message })
  if (account === null) return up("its account does not exist: fund it with the base reserve")
  if (!signsAlone(account)) return up("its key cannot sign a payment alone")
  if (spendable(account, baseReserve) < 0n) return up("it holds less than its base reserve, so payments through it fail: fund it")
  const float = floatOf(account, baseReserve)
  if (float > max) return up(`paused: it holds ${showAmount(float)} lumens beyond its reserve; run npm run mediator:sweep`)
  return float > warn ? up(`it holds ${showAmount(float)} lumens beyond its reserve; run npm run mediator:sweep`) : { status: "up" }
}
