import { xdr } from "@stellar/stellar-sdk"
import { Record, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { ledgersPerDay } from "../../../ledger/Header.ts"
import type { ContractFunction, ContractHost, ContractModel } from "../../../ledger/soroban/Contract.ts"
import {
  addressOf,
  addressVal,
  asAddress,
  asI128,
  asString,
  i128,
  string,
  symbol,
  u32,
  vec,
  voidVal
} from "../../../ledger/soroban/Values.ts"
import { type Behaviour, BehavioursText } from "./Behaviour.ts"

/** Where the instance of a hostile token says what it does. */
export const behavioursKey = symbol("Behaviours")

/** The instance value behaviours are kept as. */
export const behavioursVal = (behaviours: ReadonlyArray<Behaviour>): xdr.ScVal => string(Schema.encodeSync(BehavioursText)(behaviours))

type Args = ReadonlyArray<xdr.ScVal>
type BehaviourOf<Tag extends Behaviour["_tag"]> = Extract<Behaviour, { readonly _tag: Tag }>

const behavioursOf = (host: ContractHost): ReadonlyArray<Behaviour> => {
  const kept = host.instance.get(behavioursKey)
  return kept === undefined ? [] : Schema.decodeSync(BehavioursText)(asString(kept))
}

const names = (behaviour: Behaviour): ReadonlyArray<string> => {
  if ("functions" in behaviour) return behaviour.functions
  return "function" in behaviour ? [behaviour.function] : ["transfer"]
}

/** Whose tokens a function moves or promises: the first argument of transfer, approve and burn, the second where a spender acts. */
const ownerOf = (fn: string, args: Args): xdr.ScVal => args[fn.endsWith("_from") ? 1 : 0] ?? voidVal

const pretend = (host: ContractHost, { amount, from, kind, times, to }: BehaviourOf<"Pretends">): void => {
  const data = kind === "transfer" ? i128(amount) : vec(i128(amount), u32(host.ledger.sequence + ledgersPerDay))
  const topics = [symbol(kind), addressVal(addressOf(from)), addressVal(addressOf(to))]
  for (let left = times; left > 0; left--) host.emit(topics, data)
}

const callOther = (host: ContractHost, owner: xdr.ScVal, { amount, contract, function: fn, party }: BehaviourOf<"CallsOther">): void => {
  const args = [owner, addressVal(addressOf(party)), i128(amount)]
  host.call(addressOf(contract), fn, ...(fn === "approve" ? [...args, u32(host.ledger.sequence + ledgersPerDay)] : args))
}

/** Another value of the same type: numbers up to 2^32 higher, texts longer. */
const altered = (value: xdr.ScVal): xdr.ScVal => {
  const random = randomBytes(4)
  const by = random.readUInt32BE()
  switch (value.type) {
    case "scvI128":
      return i128(asI128(value) + BigInt(by) + 1n)
    case "scvU32":
      return u32((value.u32 + by) % 0xffff_ffff)
    case "scvString":
      return string(`${asString(value)}${random.toString("hex")}`)
    default:
      return value
  }
}

/** What is done before the honest function runs. */
const before = (host: ContractHost, args: Args, behaviour: Behaviour): void => {
  switch (behaviour._tag) {
    case "Fails":
      return behaviour.code === undefined ? host.trap() : host.fail(behaviour.code)
    case "NeverEnds":
      return host.charge(Number.POSITIVE_INFINITY)
    case "Reenters":
      host.call(host.address, "balance", args[0] ?? voidVal)
      return
    case "Pretends":
      return pretend(host, behaviour)
    default:
  }
}

/** Runs the honest function with other arguments, or more than once. The agreement is requested once, over what the caller sees. */
const moved = (honest: ContractFunction, host: ContractHost, args: Args, behaviour: BehaviourOf<"TakesFee" | "MovesMore">): xdr.ScVal => {
  const [from = voidVal, to = voidVal, amount = voidVal] = args
  const units = asI128(amount)
  host.requireAuth(asAddress(from))
  const agreed: ContractHost = { ...host, requireAuth: () => undefined }
  if (behaviour._tag === "MovesMore") return honest.run(agreed, [from, to, i128(units + behaviour.extra)])
  const fee = units * BigInt(behaviour.basisPoints) / 10_000n
  honest.run(agreed, [from, to, i128(units - fee)])
  return honest.run(agreed, [from, addressVal(host.address), i128(fee)])
}

/** A host on which nothing that a function keeps is kept. */
const withoutMemory = (host: ContractHost): ContractHost => {
  const none = { set: () => undefined, remove: () => undefined, extend: () => undefined }
  return {
    ...host,
    persistent: { ...host.persistent, ...none },
    temporary: { ...host.temporary, ...none },
    instance: { ...host.instance, set: none.set, remove: none.remove }
  }
}

const answered = (honest: ContractFunction, host: ContractHost, args: Args, behaviour: Behaviour | undefined): xdr.ScVal => {
  switch (behaviour?._tag) {
    case "Answers":
      return xdr.ScVal.fromXdr(behaviour.value, "base64")
    case "AnswersText":
      return string(behaviour.text.repeat(behaviour.times))
    case "AnswersAnew":
      return altered(honest.run(host, args))
    case "Ignores":
      return honest.run(withoutMemory(host), args)
    case "TakesFee":
    case "MovesMore":
      return moved(honest, host, args, behaviour)
    default:
      return honest.run(host, args)
  }
}

const answering: ReadonlySet<Behaviour["_tag"]> = new Set(["Answers", "AnswersText", "AnswersAnew", "Ignores", "TakesFee", "MovesMore"])

/** A function that does, besides what an honest one does or in its place, what the instance says of it. */
const hostile = (honest: ContractFunction, fn: string): ContractFunction => ({
  arity: honest.arity,
  run: (host, args) => {
    const own = behavioursOf(host).filter((behaviour) => names(behaviour).includes(fn))
    for (const behaviour of own) before(host, args, behaviour)
    const answer = answered(honest, host, args, own.find(({ _tag }) => answering.has(_tag)))
    // Only now has the owner agreed to the call: what follows hangs on that agreement.
    for (const behaviour of own) if (behaviour._tag === "CallsOther") callOther(host, ownerOf(fn, args), behaviour)
    return answer
  }
})

/** The token a model makes, with behaviours of its own. */
export const hostileToken = ({ functions, ...model }: ContractModel): ContractModel => ({
  ...model,
  functions: Record.map(functions, hostile)
})
