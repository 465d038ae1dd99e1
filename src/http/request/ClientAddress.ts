import type { HttpServerRequest } from "@effect/platform"
import { Option } from "effect"
import { isIP, isIPv6 } from "node:net"
import { wholeNumberSetting } from "../../domain/WholeNumberSetting.ts"

/** How many proxies in front of the service are trusted to append to `X-Forwarded-For` (`TRUSTED_PROXY_HOPS`, 0 by default). */
export const trustedProxyHops = wholeNumberSetting("TRUSTED_PROXY_HOPS", { least: 0, most: 16, usual: 0 })

const withoutPort = (text: string): string => {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)
  if (bracketed !== null) return bracketed[1] ?? ""
  return /^[0-9.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(":")) : text
}

/** The IPv6 network of so many groups of 16 bits that an address is in. */
const networkOf = (address: string, size: 3 | 4): string => {
  const [text = ""] = address.split("%")
  const [head = "", tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::")
  const groups = head === "" ? [] : head.split(":")
  const after = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = tail === undefined ? 0 : 8 - groups.length - after.length
  return `${[...groups, ...Array.from({ length: zeros }, () => "0"), ...after].slice(0, size).join(":")}::/${size * 16}`
}

/** The IPv4 address, or the IPv6 network of that size. A mapped IPv4 address is that IPv4 address. */
const clientIn = (address: string, size: 3 | 4): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1] ?? address
  return isIPv6(address) ? networkOf(address, size) : address
}

/** The client that an address belongs to: an IPv4 address, or an IPv6 network of 64 bits, which is what one subscriber is handed. */
export const oneClient = (address: string): string => clientIn(address, 4)

/** The site that an address belongs to: an IPv4 address, or an IPv6 network of 48 bits, the largest that one subscriber is handed. */
export const oneSite = (address: string): string => clientIn(address, 3)

/**
 * The address a request comes from: the socket's, or behind `hops` trusted proxies the entry that the outermost of them appended to
 * `X-Forwarded-For`. What a client writes there itself stands further left and is never looked at.
 */
export const originAddress = (socket: string, forwardedFor: string | undefined, hops: number): string => {
  if (hops === 0) return socket
  const forwarded = (forwardedFor ?? "").split(",").map((entry) => withoutPort(entry.trim()))
  const picked = forwarded[forwarded.length - hops]
  return picked !== undefined && isIP(picked) !== 0 ? picked : socket
}

const originOf = (request: HttpServerRequest.HttpServerRequest, hops: number): string =>
  originAddress(Option.getOrElse(request.remoteAddress, () => "unknown"), request.headers["x-forwarded-for"], hops)

/** The client that a request is counted against. */
export const clientAddress = (request: HttpServerRequest.HttpServerRequest, hops: number): string => oneClient(originOf(request, hops))

/** The site that a request comes from. */
export const siteAddress = (request: HttpServerRequest.HttpServerRequest, hops: number): string => oneSite(originOf(request, hops))
