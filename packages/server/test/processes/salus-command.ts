import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const SALUS = fileURLToPath(new URL('../../../cli/bin/salus.mjs', import.meta.url))

export interface EndedCommand {
  code: number | null
  out: string
  error: string
}

/** A program with only these settings. */
export function spawnNode(
  file: string,
  values: readonly string[],
  settings: Record<string, string>,
): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  return spawn(process.execPath, [file, ...values], { env: { PATH, HOME, ...settings } })
}

/** Runs `salus` to its end. */
export async function runSalus(
  values: readonly string[],
  settings: Record<string, string>,
): Promise<EndedCommand> {
  const child = spawnNode(SALUS, values, settings)
  const ended: EndedCommand = { code: null, out: '', error: '' }
  child.stdout?.on('data', (chunk) => {
    ended.out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    ended.error += chunk
  })
  const [code] = await once(child, 'close')
  return { ...ended, code }
}
