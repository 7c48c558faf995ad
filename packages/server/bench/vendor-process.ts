import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { GrantsWanted } from './emulated-vendors.ts'

/** Tokens of an account of the emulated vendor, and its id there. */
export interface VendorGrant {
  access_token: string
  refresh_token: string
  accountId: string
}

/** The emulated vendors in a process of their own. */
export interface VendorProcess {
  url: string
  pid: number
  /** Environment of a server whose sandboxes ask them. */
  settings: Record<string, string>
  grant(
    grants: { account: string; clientId: string }[],
    scopes: readonly string[],
  ): Promise<VendorGrant[]>
  /** All requests so far. */
  countRequests(): Promise<number>
  stop(): Promise<void>
}

const VENDORS = fileURLToPath(new URL('./emulated-vendors.ts', import.meta.url))
const ELSEWHERE = fileURLToPath(new URL('./vendors-elsewhere.ts', import.meta.url))

/** @param latencyMs After which they begin to answer, as those far away do. */
export async function startVendors(latencyMs = 0): Promise<VendorProcess> {
  const child = fork(VENDORS, [String(latencyMs)], { execArgv: [] })
  const next = async <T>(): Promise<T> => (await once(child, 'message'))[0] as T
  const url = await next<string>()
  return {
    url,
    pid: child.pid ?? 0,
    settings: {
      BENCH_VENDORS_URL: url,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${ELSEWHERE}`,
    },
    grant(grants, scopes) {
      const wanted: GrantsWanted = { grants, scopes: [...scopes] }
      child.send(wanted)
      return next()
    },
    countRequests() {
      child.send('requests')
      return next()
    },
    async stop() {
      if (child.exitCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

const TICKS_A_SECOND = 100

/**
 * Processor time of processes so far, seconds, and of those they started that have ended.
 * @param thread part of the path of a thread, such as `task/42/`, instead of the whole process
 */
export function processorSeconds(processIds: readonly number[], thread = ''): number {
  return processIds.reduce((sum, pid) => sum + ticksOf(pid, thread) / TICKS_A_SECOND, 0)
}

function ticksOf(pid: number, thread: string): number {
  try {
    // After the name in brackets, which may hold anything, user and system time begin with the
    // 12th; then ended children's.
    const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/${thread}stat`, 'utf8')) ?? []
    const fields = rest.split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  } catch {
    return 0
  }
}

/**
 * Processor time that processes have taken, milliseconds, by thread: exact, where that of
 * processorSeconds counts whole ticks of each process.
 */
export function readThreads(processIds: readonly number[]): Map<string, number> {
  const threads = new Map<string, number>()
  for (const pid of processIds) {
    for (const tid of readFolder(`/proc/${pid}/task`)) {
      const [nanoseconds] = readText(`/proc/${pid}/task/${tid}/schedstat`).split(' ')
      threads.set(tid, Number(nanoseconds) / 1e6)
    }
  }
  return threads
}

/** What threads have taken since then. Of those that have ended, what they did is not known. */
export function threadsSince(before: ReadonlyMap<string, number>, now: Map<string, number>) {
  let milliseconds = 0
  for (const [tid, time] of now) milliseconds += Math.max(0, time - (before.get(tid) ?? 0))
  return milliseconds
}

function readFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '0'
  }
}
