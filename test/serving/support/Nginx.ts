import { Effect } from "effect"
import { spawn } from "node:child_process"
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

const found = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where nginx is installed; null where it is not. */
export const nginx: string | null =
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"].map((folder) => join(folder, "nginx")).find(found) ?? null

if (nginx === null) console.log("skipped: no nginx")

const shippedFile = (name: string): string => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), "utf8")

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(!!socket.destroy())).on("error", () => resolve(false))
  })

/**
 * nginx with `deploy/nginx.conf` in front of one instance, on a loopback port. Only addresses and paths of the file are replaced. There are
 * always two workers, so that a machine of many cores meets the same limits. `certificates`: a folder; with it `deploy/tls.conf` is
 * included.
 */
export const nginxBefore = (binary: string, instance: URL, certificates?: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "nginx-"))
      const port = await freePort()
      const shipped = shippedFile("nginx.conf")
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ")
      const config = shipped
        .replace("worker_processes auto;", "worker_processes 2; daemon off; error_log stderr crit;")
        // A container may not be allowed to raise its own limit.
        .replace("worker_rlimit_nofile 32768;", "")
        .replace("pid /run/nginx.pid;", `pid ${folder}/pid;`)
        .replace("http {", `http { ${temporary}`)
        .replace("listen 8080;", `listen 127.0.0.1:${port};`)
        .replace(/server (one|two|three):8080/g, `server ${instance.host}`)
        .replace("/etc/nginx/tls/*.conf", `${folder}/tls/*.conf`)
      writeFileSync(join(folder, "nginx.conf"), config)
      const tlsPort = await freePort()
      if (certificates !== undefined) {
        mkdirSync(join(folder, "tls"))
        const tls = shippedFile("tls.conf").replace("listen 8443", `listen 127.0.0.1:${tlsPort}`).replaceAll(
          "/etc/nginx/certificates",
          certificates
        )
        writeFileSync(join(folder, "tls", "tls.conf"), tls)
      }
      const child = spawn(binary, ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], {
        stdio: ["ignore", "ignore", "inherit"]
      })
      while (!(await listens(port))) {
        if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
      }
      return { child, folder, port, tlsPort }
    }),
    ({ child, folder }) =>
      Effect.promise(() =>
        new Promise<void>((resolve) => {
          child.once("exit", () => resolve(rmSync(folder, { recursive: true, force: true })))
          child.kill("SIGTERM")
        })
      )
  ).pipe(Effect.map(({ port, tlsPort }) => ({ port, tlsPort })))
