import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type NetConnectOpts } from 'node:net'
import { dlopen } from 'node:process'

// Runs confined like a reader, but without the permission model of Node.js, like code that has
// broken out of an engine. It makes the given attempts, and prints the successful ones.

/** Attempts to make. */
export interface Attempts {
  /** Folders with the code of a reader, which must be readable. */
  code: string[]
  /** Files and folders. */
  read?: string[]
  /** Folders. */
  write?: string[]
  tcp?: { host: string; port: number }[]
  udp?: { host: string; port: number }[]
  sockets?: string[]
  programs?: string[]
  addons?: string[]
  /** Pids to which a signal is sent. The signal 0 has no effect. */
  signal?: number[]
}

/** The attempts that succeeded, as `kind value`. */
export type Successes = string[]

const CONNECT_MS = 2_000
/** An address is reachable when only its listener is missing. */
const NOBODY_THERE = new Set(['ECONNREFUSED', 'ENOENT', 'ECONNRESET'])

async function run(attempts: Attempts): Promise<Successes> {
  for (const folder of attempts.code) readdirSync(folder)
  const successes: Successes = []
  const attempt = async (name: string, action: () => unknown) => {
    try {
      await action()
      successes.push(name)
    } catch {}
  }
  for (const path of attempts.read ?? []) await attempt(`read ${path}`, () => readAny(path))
  for (const path of attempts.write ?? []) {
    await attempt(`write ${path}`, () => writeFileSync(`${path}/written`, ''))
  }
  for (const to of attempts.tcp ?? []) await attempt(`tcp ${to.port}`, () => connectTo(to))
  for (const path of attempts.sockets ?? [])
    await attempt(`socket ${path}`, () => connectTo({ path }))
  for (const { host, port } of attempts.udp ?? []) {
    await attempt(`udp ${port}`, () => sendDatagram(host, port))
  }
  for (const path of attempts.programs ?? []) {
    await attempt(`program ${path}`, () => {
      // Without pipes the program would need to write to /dev/null, and would fail for that reason.
      const { error } = spawnSync(path, ['--version'], { stdio: 'pipe' })
      if (error) throw error
    })
  }
  for (const path of attempts.addons ?? []) {
    await attempt(`addon ${path}`, () => dlopen({ exports: {} }, path))
  }
  for (const pid of attempts.signal ?? [])
    await attempt(`signal ${pid}`, () => process.kill(pid, 0))
  return successes
}

function readAny(path: string): void {
  try {
    readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error
    readdirSync(path)
  }
}

async function connectTo(to: NetConnectOpts): Promise<void> {
  const socket = connect(to)
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) })
  } catch (error) {
    if (!NOBODY_THERE.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    socket.destroy()
  }
}

async function sendDatagram(host: string, port: number): Promise<void> {
  const socket = createSocket('udp4')
  try {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    socket.once('error', reject)
    socket.send('', port, host, (error) => (error ? reject(error) : resolve()))
    await promise
  } finally {
    socket.close()
  }
}

const successes = await run(JSON.parse(process.argv[2] ?? '') as Attempts)
process.stdout.write(JSON.stringify(successes))
