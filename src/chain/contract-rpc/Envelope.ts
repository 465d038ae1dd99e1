import { Predicate } from "effect"

/** What came back for a call: its result, or the code of an error. */
export type Envelope = { readonly code: number } | { readonly result: object }

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Reads the answer of JSON-RPC 2.0 to the call of that id; null where it is none. What has both an error and a result is an error. By hand:
 * there is one for each call, and a schema would take as long for it as for the result.
 */
export const readEnvelope = (text: string, id: number): Envelope | null => {
  const told = parsed(text)
  if (!Predicate.isRecord(told) || told["id"] !== id) return null
  const { error, result } = told
  const code = Predicate.isRecord(error) ? error["code"] : null
  if (Predicate.isNumber(code) && Number.isSafeInteger(code)) return { code }
  return Predicate.isObject(result) ? { result } : null
}
