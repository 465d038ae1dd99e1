import type { xdr } from "@stellar/stellar-sdk"
import { Either, Option } from "effect"
import type { EntryAnswer } from "../../chain/EntryAnswer.ts"
import type { Getter, GetterAnswer } from "../../chain/Getter.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { describeMisfit } from "../../stellar/ScValCodec.ts"
import type { ScValCodec } from "../../stellar/ScValCodec.ts"
import { keyText } from "../../xdr/LedgerKeys.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"
import { isGetter, questionText } from "./Question.ts"
import type { Question } from "./Question.ts"

/** What was read under one key. */
export type EntryState =
  /** No one has asked for it yet. */
  | { readonly _tag: "Unread" }
  /** The ledger that was read has nothing under the key. An archived entry may look the same on an old node. */
  | { readonly _tag: "Absent" }
  /** Something stands there in a form of a newer protocol, which this version cannot read. */
  | { readonly _tag: "Unreadable" }
  /** `archived`: its value is the last one; the next call that touches it restores it for a fee. */
  | { readonly _tag: "Present"; readonly data: xdr.LedgerEntryData; readonly archived: boolean }

/** What a contract returned to a getter. A getter that could not be sent counts as failed. */
export type GetterState = { readonly _tag: "Unread" } | GetterAnswer

/** Questions that must be answered first. */
export interface OpenQuestions {
  readonly _tag: "Unread"
  readonly questions: ReadonlyArray<Question>
}

/** What keeps a decoder from a value. */
export type Unusable =
  | OpenQuestions
  /** The entry holds something else than what the code is known to write. */
  | { readonly _tag: "Undecodable"; readonly key: xdr.LedgerKey; readonly reason: string }

/** What was read of the ledger, and when. Decoders see nothing else. */
export interface LedgerView {
  readonly sequence: number
  /** Unix seconds. */
  readonly closeTime: bigint
  readonly state: (key: xdr.LedgerKey) => EntryState
  /** For facts that a decoder can do without: no one vouches that they are of the same ledger as the entries. */
  readonly answer: (getter: Getter) => GetterState
}

/** A temporary entry whose time is over is gone, even where a node still shows it. */
const stateOf = ({ latestLedger, live }: EntryAnswer): EntryState =>
  Option.match(live, {
    onNone: (): EntryState => ({ _tag: "Absent" }),
    onSome: ({ entry, liveUntilLedger }): EntryState => {
      if (entry === null) return { _tag: "Unreadable" }
      const { data } = entry
      const archived = liveUntilLedger !== null && liveUntilLedger < latestLedger
      return archived && data.type === "contractData" && data.contractData.durability.name === "temporary"
        ? { _tag: "Absent" }
        : { _tag: "Present", data, archived }
    }
  })

/** The view of what was answered as of a ledger; `getterAnswers` by the text of the question. */
export const viewOf = (
  { closeTime, sequence }: { readonly sequence: number; readonly closeTime: bigint },
  answers: ReadonlyArray<EntryAnswer>,
  getterAnswers: ReadonlyMap<string, GetterAnswer>
): LedgerView => {
  const states = new Map(answers.map((answer) => [keyText(answer.key), stateOf(answer)] as const))
  return {
    sequence,
    closeTime,
    state: (key) => states.get(keyText(key)) ?? { _tag: "Unread" },
    answer: (getter) => getterAnswers.get(questionText(getter)) ?? { _tag: "Unread" }
  }
}

/** What keeps a decoder from what stands in a newer form. */
export const unreadable = (key: xdr.LedgerKey): Unusable => ({
  _tag: "Undecodable",
  key,
  reason: "it is in the format of a newer ledger protocol"
})

/** The value of a contract's entry, decoded; null when the ledger has none. */
export const valueIn = <A>(
  view: LedgerView,
  contract: ContractAddress,
  key: xdr.ScVal,
  codec: ScValCodec<A>
): Either.Either<A | null, Unusable> => {
  const ledgerKey = contractDataKey(contract, key)
  const state = view.state(ledgerKey)
  if (state._tag === "Unread") return Either.left({ _tag: "Unread", questions: [ledgerKey] })
  if (state._tag === "Absent") return Either.right(null)
  if (state._tag === "Unreadable") return Either.left(unreadable(ledgerKey))
  const { data } = state
  if (data.type !== "contractData") return Either.left({ _tag: "Undecodable", key: ledgerKey, reason: "not contract data" })
  return Either.mapLeft(codec.decode(data.contractData.val), (misfit): Unusable => ({
    _tag: "Undecodable",
    key: ledgerKey,
    reason: describeMisfit(misfit)
  }))
}

/** A contract's instance: its executable and its instance storage; null when there is no such contract. */
export const instanceIn = (view: LedgerView, contract: ContractAddress): Either.Either<xdr.ScContractInstance | null, Unusable> => {
  const key = instanceKey(contract)
  const state = view.state(key)
  if (state._tag === "Unread") return Either.left({ _tag: "Unread", questions: [key] })
  if (state._tag === "Absent") return Either.right(null)
  if (state._tag === "Unreadable") return Either.left(unreadable(key))
  const value = state.data.type === "contractData" ? state.data.contractData.val : null
  return value?.type === "scvContractInstance"
    ? Either.right(value.instance)
    : Either.left({ _tag: "Undecodable", key, reason: "not a contract instance" })
}

/** Instance storage by the text of its keys. Many values are read from one instance, and each key is converted to text once. */
const indexOf = objectMemo((instance: xdr.ScContractInstance): ReadonlyMap<string, xdr.ScVal> =>
  new Map((instance.storage ?? []).map(({ key, val }) => [xdrBase64(key), val] as const))
)

/** A value of instance storage, decoded; null when it is not there. */
export const inInstance = <A>(
  contract: ContractAddress,
  instance: xdr.ScContractInstance,
  key: xdr.ScVal,
  codec: ScValCodec<A>
): Either.Either<A | null, Unusable> => {
  const value = indexOf(instance).get(xdrBase64(key))
  if (value === undefined) return Either.right(null)
  return Either.mapLeft(codec.decode(value), (misfit): Unusable => ({
    _tag: "Undecodable",
    key: instanceKey(contract),
    reason: describeMisfit(misfit)
  }))
}

/** What a contract says to a getter, decoded; null when the call fails or says something else. */
export const getterValue = <A>(view: LedgerView, getter: Getter, codec: ScValCodec<A>): Either.Either<A | null, OpenQuestions> => {
  const state = view.answer(getter)
  switch (state._tag) {
    case "Unread":
      return Either.left({ _tag: "Unread", questions: [getter] })
    case "Failed":
      return Either.right(null)
    case "Returned":
      return Either.right(Either.getOrNull(codec.decode(state.value)))
  }
}

const isOpen = (view: LedgerView) => (question: Question): boolean =>
  (isGetter(question) ? view.answer(question) : view.state(question))._tag === "Unread"

/** Those of the questions that no one has asked yet. */
export const openIn = (view: LedgerView, questions: ReadonlyArray<Question>): ReadonlyArray<Question> => questions.filter(isOpen(view))

/** Passes when all of these were answered; else names those that were not, all at once, so that they can travel together. */
export const allAnswered = (view: LedgerView, questions: ReadonlyArray<Question>): Either.Either<void, OpenQuestions> => {
  const open = openIn(view, questions)
  return open.length === 0 ? Either.void : Either.left({ _tag: "Unread", questions: open })
}

/** An entry that must be there; its absence is something that does not decode. */
export const present = <A>(value: A | null, key: xdr.LedgerKey): Either.Either<A, Unusable> =>
  value === null ? Either.left({ _tag: "Undecodable", key, reason: "missing although a position depends on it" }) : Either.right(value)

/** As `valueIn`, of an entry that must be there. */
export const required = <A>(
  view: LedgerView,
  contract: ContractAddress,
  key: xdr.ScVal,
  codec: ScValCodec<A>
): Either.Either<A, Unusable> =>
  Either.flatMap(valueIn(view, contract, key, codec), (found) => present(found, contractDataKey(contract, key)))

/** As `inInstance`, of a value that must be there. */
export const requiredInInstance = <A>(
  contract: ContractAddress,
  instance: xdr.ScContractInstance,
  key: xdr.ScVal,
  codec: ScValCodec<A>
): Either.Either<A, Unusable> =>
  Either.flatMap(inInstance(contract, instance, key, codec), (found) => present(found, instanceKey(contract)))
