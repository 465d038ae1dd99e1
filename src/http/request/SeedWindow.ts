/** How many characters a secret seed has. */
export const seedLength = 56

/** Seeds begin with `S` and one of `A` to `D`: together they spell the version byte. */
const firstValue = 18
const secondValueBelow = 4

/** A checksum (CRC-16/XMODEM, which StrKey uses) after some zero bits more. It is linear: what came before can be taken off again. */
const advanced = (sum: number, bits: number): number => {
  let register = sum
  for (let bit = 0; bit < bits; bit++) register = (register & 0x8000) === 0 ? register << 1 : ((register << 1) ^ 0x1021) & 0xffff
  return register & 0xffff
}

const table = (size: number, of: (index: number) => number): Uint16Array => Uint16Array.from({ length: size }, (_, index) => of(index))

const ofFive = table(32, (five) => advanced(five << 11, 5))
const ofFour = table(16, (four) => advanced(four << 12, 4))

/** The checksum covers 33 bytes: 52 characters and four of the five bits of the next. */
const whole = 52
const lowAfterWhole = table(256, (byte) => advanced(byte, 5 * whole))
const highAfterWhole = table(256, (byte) => advanced(byte << 8, 5 * whole))

/** Room for more than a seed, a power of two. */
const room = 64
const at = (index: number): number => index & (room - 1)

/**
 * The last characters of a run of base32, and whether they are a secret seed. The cost of a character is constant: the
 * checksum of the window is the difference of two checksums of the run.
 */
export class SeedWindow {
  readonly #values = new Uint8Array(room)
  /** The checksum of the run before each character. */
  readonly #sums = new Uint16Array(room)
  #length = 0
  #sum = 0

  /** How many characters the run has. */
  get length(): number {
    return this.#length
  }

  /** Begins a new run. */
  clear(): void {
    this.#length = 0
  }

  /** @param value 0 to 31, of the base32 alphabet */
  push(value: number): void {
    const here = at(this.#length++)
    this.#values[here] = value
    this.#sums[here] = this.#sum
    this.#sum = ((this.#sum << 5) & 0xffff) ^ (ofFive[(this.#sum >>> 11) ^ value] ?? 0)
  }

  #value(index: number): number {
    return this.#values[at(index)] ?? 0
  }

  /** Whether the last 56 characters are a seed whose checksum holds. */
  get endsWithSeed(): boolean {
    const start = this.#length - seedLength
    if (start < 0 || this.#value(start) !== firstValue || this.#value(start + 1) >= secondValueBelow) return false
    const before = this.#sums[at(start)] ?? 0
    const upTo = (this.#sums[at(start + whole)] ?? 0) ^ (lowAfterWhole[before & 0xff] ?? 0) ^ (highAfterWhole[before >>> 8] ?? 0)
    const split = this.#value(start + whole)
    const sum = ((upTo << 4) & 0xffff) ^ (ofFour[(upTo >>> 12) ^ (split >>> 1)] ?? 0)
    const stated = ((split & 1) << 15) | (this.#value(start + 53) << 10) | (this.#value(start + 54) << 5) | this.#value(start + 55)
    return sum === (((stated & 0xff) << 8) | (stated >>> 8))
  }
}
