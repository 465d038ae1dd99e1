/** Servers that `scripts/ci-services` started, and the reasons for skipped tests without them. */
export const loopback = {
  postgres: process.env["TEST_POSTGRES_URL"] ?? null,
  redis: process.env["TEST_REDIS_URL"] ?? null
}

for (const [server, name] of [["postgres", "PostgreSQL"], ["redis", "Redis"]] as const) {
  // A reporter names only tests that ran, so this line reports the skip.
  if (loopback[server] === null) console.log(`skipped: no ${name}`)
}

/** A test's name, with a note where its server is missing. */
export const orSkipped = (name: string, server: keyof typeof loopback): string => {
  if (loopback[server] !== null) return name
  return `${name} (skipped: no ${server === "postgres" ? "PostgreSQL" : "Redis"})`
}
