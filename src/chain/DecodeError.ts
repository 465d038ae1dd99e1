import { ParseResult } from "effect"

/** Where an answer does not fit, without its values: they may be addresses. */
export const decodeError = (error: ParseResult.ParseError): string => {
  const place = ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.path.map(String).join(".") ?? ""
  return `does not decode at ${place === "" ? "the top" : place}`
}
