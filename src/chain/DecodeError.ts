import { ParseResult } from "effect"

/** What is said of an answer that does not fit as a whole. */
export const unreadable = "does not decode at the top"

/** Where an answer does not fit, without its values: they may be addresses. */
export const decodeError = (error: ParseResult.ParseError): string => {
  const place = ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.path.map(String).join(".") ?? ""
  return place === "" ? unreadable : `does not decode at ${place}`
}
