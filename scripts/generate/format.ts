import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BIOME = fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'))

/** Formats a document as the linter wants it, which checks generated JSON like any other. */
export function formatDocument(name: string, content: string): string {
  if (!name.endsWith('.json')) return content
  const args = [BIOME, 'format', `--stdin-file-path=${name}`]
  const options = { cwd: ROOT, input: content, encoding: 'utf8', maxBuffer: 64e6 } as const
  return execFileSync(process.execPath, args, options)
}
