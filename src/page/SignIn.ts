import { challengeDomain, isDomainOf } from "../client/Challenge.ts"
import { hashOf } from "../client/Envelope.ts"
import { call } from "./Calls.ts"
import { button, doing, el, field, goTo, Problem, say, section, textIn, textInput } from "./Dom.ts"
import { facts, type ServedNetwork } from "./Facts.ts"
import type { Session } from "./OwnBackend.ts"
import { plainTransaction, signedElsewhere } from "./SigningDesk.ts"
import { testKey } from "./wallets/TestKey.ts"
import type { WalletModule } from "./wallets/WalletModule.ts"
import { presentWallets, walletNames } from "./wallets/Wallets.ts"

/** Who is signed in, on which network, and with which wallet; null: what is signed is pasted. */
export interface SignedIn {
  readonly session: Session
  readonly network: ServedNetwork
  readonly wallet: WalletModule | null
  /** Where a new test account may be closed into. */
  readonly destination: string | null
}

interface Challenge {
  readonly transaction: string
  readonly networkPassphrase: string
}

/** A challenge of another server would sign the account in there, so only one of this service is signed. A sandbox has no name of its own. */
const checkChallenge = ({ networkPassphrase, transaction }: Challenge, { passphrase, sandbox }: ServedNetwork, address: string): void => {
  const domain = networkPassphrase === passphrase ? challengeDomain(transaction, passphrase, address) : null
  if (domain === null) throw new Problem("The service sent something else than a challenge, so nothing is signed.")
  if (!sandbox && !isDomainOf(domain, window.location.href)) {
    throw new Problem(`The challenge is that of ${domain}, not of this page, so nothing is signed.`)
  }
}

/** Proves an account, and opens its session. */
const opened = async (network: ServedNetwork, address: string, wallet: WalletModule | null): Promise<Session> => {
  const challenge = await call<Challenge>("/close/challenge", { network: network.name, address })
  checkChallenge(challenge, network, address)
  const envelope = challenge.transaction
  const { passphrase } = network
  say(wallet === null ? "" : `Sign the challenge in ${wallet.productName}.`)
  const signed = wallet === null
    ? await signedElsewhere(
      { envelope, networkPassphrase: passphrase, by: address, hash: hashOf(plainTransaction(envelope, passphrase)) },
      "Sign the challenge"
    )
    : (await wallet.signTransaction(envelope, { networkPassphrase: passphrase, address })).signedTxXdr
  const { expiresAt, token } = await call<{ readonly token: string; readonly expiresAt: string }>("/close/session", {
    network: network.name,
    transaction: signed
  })
  return { network: network.name, source: address, token, expiresAt }
}

const chosenNetwork = (): ServedNetwork => {
  const name = (document.getElementById("network") as HTMLSelectElement | null)?.value ?? facts.networks[0]?.name
  const found = facts.networks.find((one) => one.name === name)
  if (found === undefined) throw new Problem("This service serves no network.")
  return found
}

const networkField = (): ReadonlyArray<HTMLElement> =>
  facts.networks.length < 2
    ? []
    : field("network", "Network", el("select", {}, ...facts.networks.map(({ name }) => el("option", { value: name }, name))))

/** Asks who is there. `goOn` gets the session. */
export const signIn = (goOn: (signedIn: SignedIn) => void): void => {
  const withWallet = (wallet: WalletModule) =>
    doing("account", async () => {
      const network = chosenNetwork()
      say(`Allow this page in ${wallet.productName}.`)
      const { address } = await wallet.getAddress()
      goOn({ session: await opened(network, address, wallet), network, wallet, destination: null })
    })
  const withTestAccount = doing("account", async () => {
    const network = facts.networks.find(({ sandbox }) => sandbox)
    if (network === undefined) throw new Problem("No sandbox is served here.")
    const wallet = testKey(network.passphrase)
    const { address } = await wallet.getAddress()
    const { destination } = await call<{ readonly destination: string }>("/close/test-account", { address })
    goOn({ session: await opened(network, address, wallet), network, wallet, destination })
  })
  const form = el(
    "form",
    {},
    ...field(
      "address",
      "Address of the account (starts with G)",
      textInput({ class: "mono", maxlength: "56", autocapitalize: "characters", required: "" })
    ),
    el("button", {}, "Sign by pasting")
  )
  form.addEventListener(
    "submit",
    doing("account", async () => {
      const network = chosenNetwork()
      const address = textIn("address").toUpperCase()
      goOn({ session: await opened(network, address, null), network, wallet: null, destination: null })
    })
  )
  const wallets = presentWallets()
  section(
    "account",
    "1. The account to close",
    el("p", {}, "A signature shows that the account is yours. It moves nothing, and this page keeps nothing when you leave it."),
    ...networkField(),
    ...wallets.map((wallet) => button(`Connect ${wallet.productName}`, () => void withWallet(wallet)(), { class: "act" })),
    wallets.length === 0 ? el("p", { class: "quiet" }, `No wallet extension was found. This page knows ${walletNames}.`) : null,
    ...(facts.networks.some(({ sandbox }) => sandbox)
      ? [
        el("p", { class: "quiet" }, "Only trying it? A test account needs no wallet."),
        button("Make me a test account", () => void withTestAccount(), wallets.length === 0 ? { class: "act" } : {})
      ]
      : []),
    el("details", {}, el("summary", {}, "Another wallet, or a tool: paste what it signs"), form)
  )
}

/** Shows who is signed in, in place of the question. */
export const showSignedIn = ({ network, session: { expiresAt, source }, wallet }: SignedIn): void => {
  const shown = section(
    "account",
    "1. The account to close",
    el("p", { class: "mono" }, source),
    el(
      "p",
      { class: "quiet" },
      `${network.sandbox ? "Sandbox" : network.name}, ${wallet?.productName ?? "signing by pasting"}. The session ends at ${
        new Date(expiresAt).toLocaleTimeString()
      }.`
    )
  )
  document.getElementById("intro")?.after(shown)
  goTo("account")
}
