/** The content codings of answers, the preferred one first; `identity` is none. */
export const codings = ["br", "gzip", "identity"] as const
export type ContentCoding = (typeof codings)[number]

const synonyms: ReadonlyMap<string, string> = new Map([["x-gzip", "gzip"]])

/** The quality of one entry, from 0 to 1. What is no quality counts as 0, so that nothing is sent that was not asked for. */
const qualityIn = (parameters: ReadonlyArray<string>): number => {
  const given = parameters.map((one) => one.trim().toLowerCase()).find((one) => one.startsWith("q="))
  if (given === undefined) return 1
  return /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given.slice(2)) : 0
}

/** Every coding that `Accept-Encoding` names, with its quality. */
const qualities = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(",").map((entry) => {
      const [name = "", ...parameters] = entry.split(";")
      const coding = name.trim().toLowerCase()
      return [synonyms.get(coding) ?? coding, qualityIn(parameters)]
    })
  )

/**
 * The coding that a client likes best by its `Accept-Encoding` (RFC 9110, section 12.5.3). Without the header, and where the client accepts none that
 * is known here, an answer goes out as it is.
 */
export const codingFor = (header: string | undefined): ContentCoding => {
  if (header === undefined) return "identity"
  const given = qualities(header)
  const others = given.get("*") ?? 0
  // Not named, it is accepted and liked least.
  const qualityOf = (coding: ContentCoding): number => given.get(coding) ?? (coding === "identity" ? 0 : others)
  return codings.reduce<ContentCoding>(
    (best, coding) => (coding !== "identity" && qualityOf(coding) > 0 && qualityOf(coding) > qualityOf(best) ? coding : best),
    "identity"
  )
}
