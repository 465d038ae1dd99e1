/** The network that an endpoint serves and its newest ledger, as it names them. */
export interface EndpointTip {
  /** Of the network it serves. */
  readonly passphrase: string
  /** The newest ledger it knows. */
  readonly ledger: number
  /** Close time of that ledger, Unix seconds. */
  readonly closeTime: bigint
  /** The protocol of that ledger; null where the source has no headers. */
  readonly protocolVersion: number | null
}

/** The tip of one endpoint, or why it has none to compare. */
export type SurveyedEndpoint =
  | { readonly _tag: "Here"; readonly tip: EndpointTip }
  /** It serves another network than the one that is configured. */
  | { readonly _tag: "Foreign" }
  | { readonly _tag: "Silent"; readonly throttled: boolean }
