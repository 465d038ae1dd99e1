/** Addresses of accounts, also with an id, of signers, balances and pools. Those of contracts stay: they are public. */
const address = /[GMSTXPBL][A-Z2-7]{55,}/g

/** Hashes, and the bytes of keys. */
const bytes = /(?<![0-9a-f])[0-9a-f]{64,}(?![0-9a-f])/g

const accountLetters: ReadonlySet<string> = new Set(["G", "M"])

/** Gives each address and each hash a name of its own, the same wherever it stands in one file. */
export class Pseudonyms {
  readonly #names = new Map<string, string>()

  #nameOf(text: string, kind: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = `${kind}-${this.#names.size + 1}`
    this.#names.set(text, name)
    return name
  }

  /** A text with pseudonyms in it. */
  within(text: string): string {
    return text
      .replace(address, (found) => this.#nameOf(found, accountLetters.has(found.slice(0, 1)) ? "account" : "id"))
      .replace(bytes, (found) => this.#nameOf(found, "hash"))
  }
}
