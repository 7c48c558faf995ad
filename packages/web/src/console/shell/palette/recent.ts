import type { KeptEnvironment } from '../kept-environment.ts'

/** Kinds of what has a page of its own, by the parameter of its address. */
export const RECENT_KINDS = ['user', 'order', 'event'] as const
export type RecentKind = (typeof RECENT_KINDS)[number]

/** A page that was open in this tab: ids alone, because storage outlives what is on the screen. */
export interface Recent extends KeptEnvironment {
  kind: RecentKind
  id: string
}

const KEY = 'salus-recent'
const MOST = 8

/** Returns what was open in an environment, the last first. */
export function listRecent({ team, env }: KeptEnvironment): Recent[] {
  return readAll().filter((one) => one.team === team && one.env === env)
}

export function rememberRecent(recent: Recent): void {
  const others = readAll().filter(({ kind, id }) => kind !== recent.kind || id !== recent.id)
  try {
    sessionStorage.setItem(KEY, JSON.stringify([recent, ...others].slice(0, MOST)))
  } catch {
    // Without session storage nothing is remembered.
  }
}

export function forgetRecent(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {}
}

function readAll(): Recent[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as Recent[]) : []
  } catch {
    return []
  }
}
