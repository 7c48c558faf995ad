import type { EnvironmentKind } from '../api/client.ts'

export interface KeptEnvironment {
  team: string
  env: EnvironmentKind
}

const KEY = 'salus-environment'

/** Returns the environment that was open last in this tab, for pages without one. */
export function findKeptEnvironment(): KeptEnvironment | undefined {
  try {
    const { team, env } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as KeptEnvironment
    const isWhole = typeof team === 'string' && (env === 'sandbox' || env === 'production')
    return isWhole ? { team, env } : undefined
  } catch {
    // Without session storage the console starts with the first team.
    return undefined
  }
}

export function keepEnvironment({ team, env }: KeptEnvironment): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ team, env }))
  } catch {}
}

/**
 * Returns the kept environment, if its team exists; else the sandbox of the first team.
 * @param environments Environments to which the role is limited; null means both
 */
export function chooseEnvironment(
  teams: readonly { id: string }[],
  environments: readonly EnvironmentKind[] | null,
): KeptEnvironment | undefined {
  const mayUse = (env: EnvironmentKind): boolean => environments?.includes(env) ?? true
  const kept = findKeptEnvironment()
  const isThere = kept !== undefined && teams.some(({ id }) => id === kept.team)
  if (isThere && mayUse(kept.env)) return kept
  const [first] = teams
  return first && { team: first.id, env: mayUse('sandbox') ? 'sandbox' : 'production' }
}
