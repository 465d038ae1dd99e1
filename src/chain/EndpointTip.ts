/** Where an endpoint stands, by its own word. */
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

/** What became of asking one endpoint where it stands. */
export type SurveyedEndpoint =
  | { readonly state: "here"; readonly standing: EndpointTip }
  /** It serves another network than the one that is configured. */
  | { readonly state: "foreign" }
  | { readonly state: "silent"; readonly throttled: boolean }
