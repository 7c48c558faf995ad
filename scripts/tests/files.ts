import { existsSync, globSync, readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'

/**
 * The rings of tests. `quick` is pure tests and those of the harness, which share processes.
 * `system` needs a process of its own: servers, engines and clusters, kills, upgrades, a browser,
 * every route. `long` is campaigns.
 */
export type Ring = 'quick' | 'system' | 'long'
export const RINGS: readonly Ring[] = ['quick', 'system', 'long']

const FILES = ['packages/*/{src,test,eval,synthetic}/**/*.test.ts', 'scripts/*/*.test.ts']

/** Returns the ring of a file by its name. */
export function ringOf(file: string): Ring {
  if (file.endsWith('.long.test.ts')) return 'long'
  return file.endsWith('.system.test.ts') ? 'system' : 'quick'
}

/** What calls the application, or opens pages of it, in the process of the tests. */
const IN_PROCESS =
  /\/(harness-server|harness|browser-fixture|linking-fixture|webhook-environment)\.ts'/

/** What opens other stores in the process of the tests, or measures that process. */
const ON_ITS_OWN =
  /\b(openEmbedded|startEmbedded|startTestCluster)|\/(server-process|stall-watch|streaming-replica)\.ts'/

/**
 * Returns whether a system test can share a process: what it starts beside the application are
 * commands, a browser or other programs.
 */
export function canShareProcess(file: string): boolean {
  if (!existsSync(file)) return false
  const text = readFileSync(file, 'utf8')
  return IN_PROCESS.test(text) && !ON_ITS_OWN.test(text)
}

/** Returns whether a file of another ring has more cases in campaigns, and so also runs there. */
const isCampaign = (file: string): boolean =>
  ringOf(file) === 'long' || readFileSync(file, 'utf8').includes('campaignRuns(')

/**
 * Finds the test files of rings whose paths contain one of the words, or all files without words. A
 * word that is a whole path names that file in any ring.
 */
export function findTestFiles(rings: Ring[], words: string[]): string[] {
  const isWanted = (file: string) => words.length === 0 || words.some((word) => file.includes(word))
  const named = words.filter((word) => isAbsolute(word) && existsSync(word))
  const isInRings = (file: string) =>
    rings.includes(ringOf(file)) || (rings.includes('long') && isCampaign(file))
  const found = globSync(FILES).filter((file) => isWanted(file) && isInRings(file))
  return [...new Set([...found.sort(), ...named])]
}
