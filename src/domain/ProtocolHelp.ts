import { isOutside, type OwnProtocol, type ProtocolName } from "./ProtocolName.ts"

/** What this service does with a protocol: what it reads of an account, and how it leaves it. Sentences for the documentation. */
interface ProtocolHelp {
  readonly label: string
  readonly reads: string
  readonly leaves: string
}

/** Every protocol that is decoded here; a name without its help does not compile. */
export const protocolHelp: Readonly<Record<OwnProtocol, ProtocolHelp>> = {
  lend_1: {
    label: "Blend",
    reads: "Supplies, collateral, debts and emissions in pools of v1 and v2, and deposits in their backstops.",
    leaves:
      "Debts are repaid first, then everything is withdrawn and emissions are claimed. Backstop shares are queued, and withdrawn when their waiting time ends."
  },
  amm_1: {
    label: "Aquarius",
    reads: "Shares in constant product and stable pools, ranges in concentrated pools, fees and rewards.",
    leaves: "Rewards and fees are claimed, then shares and ranges are withdrawn."
  },
  amm_2: {
    label: "Soroswap",
    reads: "Shares in pairs.",
    leaves: "Shares are withdrawn through the router."
  },
  amm_3: {
    label: "Phoenix",
    reads: "Shares in pools, stakes and their rewards.",
    leaves: "Rewards are claimed, stakes are unbonded one by one, then shares are withdrawn."
  },
  cdp_1: {
    label: "FxDAO",
    reads: "Vaults: collateral and debt by denomination.",
    leaves: "The debt is paid, which gives the collateral back. Where the stablecoin is missing the plan offers to buy it."
  }
}

/** Heading under which the documentation speaks of protocols. */
export const protocolsAnchor = "protocols"

/** The anchor of one protocol's text. */
export const protocolAnchor = (name: OwnProtocol): string => `protocol-${name}`

/** The address of the text about a protocol, as a path of this service. */
export const protocolDocs = (name: ProtocolName): string => `/docs/errors.md#${isOutside(name) ? protocolsAnchor : protocolAnchor(name)}`
