import type { xdr } from "@stellar/stellar-sdk"
import type { Getter } from "../../chain/Getter.ts"
import { keyText } from "../../stellar/EntryKeys.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"

/** Something a decoder wants to know of the ledger: an entry, or what a contract says when it is asked. */
export type Question = xdr.LedgerKey | Getter

export const isGetter = (question: Question): question is Getter => "function" in question

/** The same for two askings of the same thing, and for nothing else. */
export const getterText = ({ args, contract, function: name }: Getter): string => [contract, name, ...args.map(xdrBase64)].join(" ")

/** As `getterText`, for any question. */
export const questionText = (question: Question): string => (isGetter(question) ? getterText(question) : keyText(question))
