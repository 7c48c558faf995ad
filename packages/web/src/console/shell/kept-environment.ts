import type { EnvironmentKind } from '../api/client.ts'

export interface KeptEnvironment {
  team: string
  env: EnvironmentKind
}

const KEY = 'salus-environment'

/**
 * The environment that was looked at last in this tab, so that a reload of a page without one keeps
 * it.
 */
export function findKeptEnvironment(): KeptEnvironment | undefined {
  try {
    const { team, env } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as KeptEnvironment
    const isWhole = typeof team === 'string' && (env === 'sandbox' || env === 'production')
    return isWhole ? { team, env } : undefined
  } catch {
    // A browser that keeps nothing begins with the first team.
    return undefined
  }
}

export function keepEnvironment({ team, env }: KeptEnvironment): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ team, env }))
  } catch {}
}

/** The kept environment, if its team is still there; else the sandbox of the first team. */
export function chooseEnvironment(teams: readonly { id: string }[]): KeptEnvironment | undefined {
  const kept = findKeptEnvironment()
  if (kept !== undefined && teams.some(({ id }) => id === kept.team)) return kept
  const [first] = teams
  return first && { team: first.id, env: 'sandbox' }
}
