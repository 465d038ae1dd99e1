import { Asset } from "@stellar/stellar-sdk"
import type { Dice } from "./Dice.ts"
import { rebuilt, thief } from "./Rebuilt.ts"

type Json = null | boolean | number | string | Array<Json> | { [name: string]: Json }

interface Place {
  readonly parent: { [name: string]: Json } | Array<Json>
  readonly key: string
}

/** Every place in an answer that has a value. */
const placesIn = (value: Json): ReadonlyArray<Place> => {
  if (typeof value !== "object" || value === null) return []
  const parent = value
  return Object.keys(parent).flatMap((key) => {
    const below = (parent as { [name: string]: Json })[key] ?? null
    return [{ parent, key }, ...placesIn(below)]
  })
}

const at = ({ key, parent }: Place): Json => (parent as { [name: string]: Json })[key] ?? null

const put = ({ key, parent }: Place, value: Json): void => {
  ;(parent as { [name: string]: Json })[key] = value
}

const otherText = (text: string, dice: Dice): Json => {
  if (/^[GC][A-Z2-7]{55}$/.test(text)) return thief
  if (/^\d+\.\d{7}$/.test(text)) return dice.pick(["0.0000001", "0.0000000", "922337203685.4775807", `${dice.below(100)}.0000000`])
  if (/^\d+$/.test(text)) return dice.pick(["0", "1", String(BigInt(text) + 1n), "9223372036854775807"])
  if (/G[A-Z2-7]{55}/.test(text)) return text.replace(/G[A-Z2-7]{55}/, thief)
  return dice.pick([
    "convert_to_native",
    "transfer_to_account",
    "return_to_issuer",
    "forfeit",
    "sells",
    "consents",
    "submit",
    "sign_blindly",
    "complete",
    "ready",
    "native",
    ""
  ])
}

const otherValue = (value: Json, dice: Dice): Json => {
  if (typeof value === "string") return otherText(value, dice)
  if (typeof value === "number") return dice.pick([0, 1, value + 1, -value, 4_294_967_295])
  if (typeof value === "boolean") return !value
  if (Array.isArray(value)) return dice.chance(0.5) ? [] : [...value, ...value.slice(0, 1)]
  return value === null ? thief : null
}

/** The answers that a liar changes: one that changes all of them rarely receives a transaction. */
export type Target = "plan" | "build" | "everything"

interface Liar {
  readonly dice: Dice
  readonly target: Target
  readonly passphrase: string
}

/** Suggestions that no plan of the service has: an asset sold by its contract for a stroop, and things that are merged over. */
const strange = (id: string, passphrase: string): ReadonlyArray<Json> => {
  const [code = "", issuer = ""] = id.slice("asset:".length).split("-")
  const token = new Asset(code, issuer).contractId(passphrase)
  return [
    { id: `token:${token}`, choice: "convert_to_native", params: { minReceive: "0.0000001" } },
    { id: "claims:native", choice: "keep" },
    { id: "positions:others", choice: "keep", params: { maxCount: 4_000 } }
  ]
}

/** Lies that a thief would think of, about a plan. */
const planned = (plan: { [name: string]: Json }, { dice, passphrase }: Liar): void => {
  const suggested = Array.isArray(plan["suggestedDecisions"]) ? [...plan["suggestedDecisions"]] : []
  for (const one of suggested) {
    if (typeof one !== "object" || one === null || Array.isArray(one) || typeof one["id"] !== "string") continue
    if (!one["id"].startsWith("asset:") || dice.chance(0.3)) continue
    const params = one["params"]
    if (dice.chance(0.4)) {
      one["choice"] = dice.pick(["return_to_issuer", "transfer_to_account"])
      one["params"] = { destination: thief, maxAmount: "922337203685.4775807" }
    } else if (typeof params === "object" && params !== null && !Array.isArray(params)) {
      params["minReceive"] = dice.pick(["0.0000001", "1.0000000"])
      if (dice.chance(0.3)) params["amount"] = "0.0000001"
      if (dice.chance(0.2)) delete params["amount"]
      if (dice.chance(0.3)) params["destination"] = thief
    }
    if (dice.chance(0.3)) plan["suggestedDecisions"] = [...suggested, ...strange(one["id"], passphrase)]
  }
}

/** Lies about the built transaction: another envelope with a matching answer. */
const built = (answer: { [name: string]: Json }, passphrase: string, dice: Dice): void => {
  const [transaction] = Array.isArray(answer["transactions"]) ? answer["transactions"] : []
  if (typeof transaction !== "object" || transaction === null || Array.isArray(transaction)) return
  const { xdr } = transaction
  if (typeof xdr !== "string") return
  Object.assign(transaction, rebuilt(xdr, passphrase, dice))
}

/** Lies in any places of an answer. */
const scattered = (answer: { [name: string]: Json }, dice: Dice): void => {
  for (let time = 0; time <= dice.below(3); time++) {
    const places = placesIn(answer)
    if (places.length === 0) return
    const place = dice.pick(places)
    if (!Array.isArray(place.parent) && dice.chance(0.2)) delete (place.parent as { [name: string]: Json })[place.key]
    else put(place, otherValue(at(place), dice))
  }
}

/** An answer with lies in it; most of them fit together. */
export const rewritten = (text: string, liar: Liar): string => {
  const { dice, passphrase, target } = liar
  const answer = JSON.parse(text) as { [name: string]: Json }
  const [isPlan, isBuild] = ["suggestedDecisions" in answer, "nextPlanHash" in answer]
  if (isPlan && target !== "build" && dice.chance(0.7)) planned(answer, liar)
  if (isBuild && target !== "plan") built(answer, passphrase, dice)
  if (target === "everything" ? dice.chance(0.5) : (target === "plan" ? isPlan : isBuild) && dice.chance(0.15)) scattered(answer, dice)
  return JSON.stringify(answer)
}
