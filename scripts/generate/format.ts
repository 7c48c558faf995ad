import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Formats a JSON document for the linter; other documents are generated in their final form. */
export function formatDocument(name: string, content: string): string {
  return name.endsWith('.json') ? format(content, 'json') : content
}

/**
 * Formats TypeScript: long unions break in ways that only the formatter knows. It also rejects
 * invalid code.
 */
export const formatTypeScript = (content: string): string => format(content, 'ts')

/** A production install has no formatter: programs read the code unformatted there. */
function format(content: string, extension: string): string {
  const formatter = findFormatter()
  if (formatter === undefined) return content
  // Not the path of an ignored file, which the formatter would skip.
  const args = [formatter, 'format', `--stdin-file-path=content.${extension}`]
  const options = { cwd: ROOT, input: content, encoding: 'utf8', maxBuffer: 64e6 } as const
  return execFileSync(process.execPath, args, options)
}

function findFormatter(): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve('@biomejs/biome/bin/biome'))
  } catch {
    return undefined
  }
}
